"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  data.frames.forEach((frame, at, all) => { all[at] = {...all[at - 1], number: at, ...frame}; });
  const $ = (id) => document.getElementById(id);
  const last = data.frames.length - 1;
  const clock = $("clock"), end = clock ? Number(clock.ownerSVGElement.dataset.end) : 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let now = -1;
  // The parts of the first picture are in the page, and those of the others in the data.
  const parts = [...document.querySelectorAll("#parts > *")].map((part) => part.outerHTML);
  parts.push(...data.parts);

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // The facts that hold after each step: those of the step before, with its changes.
  const holds = [new Set(data.initial)];
  for (const frame of data.frames.slice(1)) {
    const facts = new Set(holds[holds.length - 1]);
    for (const fact of frame.del) facts.delete(fact);
    for (const fact of frame.add) facts.add(fact);
    holds.push(facts);
  }

  const item = (name, sign, meaning, words, pddl) => {
    const li = make("li", name);
    const mark = make("span", "sign", sign);
    mark.setAttribute("aria-hidden", "true");
    li.append(mark, make("span", "hidden", meaning + " "), make("span", "", words));
    if (pddl && pddl !== words) li.append(" ", make("code", "", pddl));
    return li;
  };
  const fill = (id, items) => {
    $(id).replaceChildren(...items);
    return items.length === 0;
  };

  const drawn = () => {
    const found = new Map();
    for (const shape of document.querySelectorAll("#parts > .shape")) {
      const [x, y] = shape.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
      found.set(shape.dataset.key, [shape, x, y]);
    }
    return found;
  };
  const draw = (frame, animate) => {
    if (!$("parts")) return;
    const old = animate ? drawn() : new Map();
    $("parts").innerHTML = frame.parts.map((part) => parts[part]).join("");
    if (!animate) return;
    for (const [key, [shape, x, y]] of drawn()) {
      if (!old.has(key)) continue;
      const [, ox, oy] = old.get(key);
      if (ox !== x || oy !== y) {
        shape.animate(
          [{ transform: `translate(${ox}px, ${oy}px)` }, { transform: `translate(${x}px, ${y}px)` }],
          { duration: 280, easing: "ease-in-out" });
      }
    }
  };

  const facts = (place) => {
    const { failed, group } = data.frames[place];
    const before = holds[failed || !group ? place : place - 1];
    const rows = [...new Set([...holds[place], ...before])].sort((a, b) => a - b);
    const limit = 2000;
    const made = rows.slice(0, limit).map((fact) => {
      const [pddl, words] = data.facts[fact];
      const is = holds[place].has(fact), was = before.has(fact);
      const row = make("tr", is && !was ? "add" : was && !is ? "del" : "");
      const change = make("td");
      if (is !== was) {
        change.append(make("span", "sign", is ? "+" : "−"), is ? "new" : "no longer");
      }
      const code = make("td");
      code.append(make("code", "", pddl));
      row.append(change, code, make("td", "", words));
      return row;
    });
    $("facts").replaceChildren(...made);
    $("more-facts").textContent = rows.length > limit ? `… and ${rows.length - limit} more` : "";
  };

  const goals = (states) => {
    if (!data.goals.length) return;
    const made = data.goals.map(([pddl, words], index) =>
      states[index] === "1" ? item("yes", "✓", "reached:", words, pddl)
        : states[index] === "0" ? item("open", "○", "not reached:", words, pddl)
          : item("open", "?", "not known:", words, pddl));
    const limit = made.length > 12 ? 10 : 12;
    const reached = states.split("1").length - 1;
    $("goal").textContent = `Goal (${reached} of ${made.length} reached)`;
    fill("goals", made.slice(0, limit));
    $("more").hidden = fill("more-goals", made.slice(limit));
    $("more").firstElementChild.textContent = `${made.length - limit} more`;
  };

  // The picture scrolls to the first mark, in the part of its frame that the window shows.
  const follow = (...wanted) => {
    const mark = wanted.map((each) => document.querySelector(each)).find(Boolean);
    if (!mark) return;
    const frame = mark.closest(".frame");
    const outer = frame.getBoundingClientRect(), inner = mark.getBoundingClientRect();
    const seen = Math.min(outer.bottom, innerHeight) - outer.top;
    const height = seen > 90 ? seen : outer.height;
    if (inner.top < outer.top || inner.bottom > outer.top + height) {
      // A picture that reaches below the window scrolls, too.
      if (!scrollY && seen > 200) frame.style.maxHeight = `${seen}px`;
      frame.scrollTop += inner.top - outer.top - Math.max(16, height - inner.height) / 2;
    }
    if (inner.left < outer.left || inner.right > outer.right) {
      frame.scrollLeft += inner.left - outer.left - Math.max(16, outer.width - inner.width) / 2;
    }
  };

  let timer = 0;
  const play = (start) => {
    clearInterval(timer);
    timer = start ? setInterval(() => {
      show(now + 1, true);
      if (now === last) play(false);
    }, 1000) : 0;
    const label = start ? "Pause" : "Play";
    $("play").firstElementChild.textContent = label;
    $("play").title = start ? label : "Play the steps";
    $("play").setAttribute("aria-label", $("play").title);
  };
  const go = (place) => {
    play(false);
    show(place, true);
  };

  const show = (place, animate) => {
    place = Math.max(0, Math.min(last, place));
    if (place === now) return;
    const frame = data.frames[place];
    draw(frame, animate && !still.matches);
    const picture = $("picture");
    if (picture) {
      picture.setAttribute("aria-label", `Picture: ${frame.say} ${frame.why}`);
      for (const entry of document.querySelectorAll("[data-mark]")) {
        entry.hidden = !picture.querySelector(`.${entry.dataset.mark}`);
      }
      $("unmarked").textContent = frame.unmarked && "Without a place in the picture: " + frame.unmarked;
    }
    $("say").textContent = frame.say;
    $("say").className = frame.failed ? "fault" : "";
    $("slider").value = place;
    $("slider").setAttribute("aria-valuetext", frame.title);
    if (clock) clock.setAttribute("transform", `translate(${560 * (frame.time ?? 0) / end} 0)`);
    $("count").textContent = frame.title;
    $("first").disabled = $("back").disabled = place === 0;
    $("next").disabled = $("end").disabled = place === last;
    $("changed").hidden = fill("changes", frame.failed || !frame.group ? [] : [
      ...frame.add.map((f) => item("add", "+", "new:", data.facts[f][1], data.facts[f][0])),
      ...frame.del.map((f) => item("del", "−", "no longer:", data.facts[f][1], data.facts[f][0])),
      ...frame.values.map((v) => item("add", "→", "value:", v, "")),
    ]);
    $("fault").hidden = !frame.why;
    $("why").textContent = frame.why;
    $("pddl").hidden = fill("unmet", frame.unmet.map(([pddl, words]) =>
      item("no", "✗", "does not hold:", words, pddl)));
    goals(frame.goals);
    $("cost").textContent = frame.cost;
    for (const value of document.querySelectorAll("[data-fluent]")) {
      value.textContent = frame.fluents[value.dataset.fluent];
    }
    for (const entry of document.querySelectorAll("[data-step]")) {
      const step = Number(entry.dataset.step);
      const current = step <= frame.number && step > frame.number - Math.max(frame.group, 1);
      if (current) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
      if (current) {
        const list = entry.parentElement;
        const top = entry.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top + entry.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = top - list.clientHeight / 2;
        }
      }
    }
    if ($("all-facts").open) facts(place);
    now = place;
    follow("#parts .fault", "#parts .new");
    if (location.hash !== `#${frame.number}` && (location.hash || place)) {
      try { history.replaceState(null, "", `#${frame.number}`); } catch { /* a sandboxed page */ }
    }
  };

  const placeOf = (step) => {
    const found = data.frames.findIndex((frame) => frame.number >= step);
    return found < 0 ? last : found;
  };
  const fromHash = () => {
    const step = /^#(?:step-)?(\d+)$/.exec(location.hash);
    return step ? placeOf(Number(step[1])) : data.start;
  };

  for (const pre of document.querySelectorAll("#texts pre")) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      getSelection().selectAllChildren(pre);
      try {
        await navigator.clipboard.writeText(pre.textContent);
        copy.textContent = "Copied";
      } catch { copy.textContent = "Selected"; /* the page may not write to the clipboard */ }
    });
    const link = document.createElement("a");
    link.textContent = "Download";
    link.download = pre.dataset.name;
    link.href = URL.createObjectURL(new Blob([pre.textContent]));
    pre.previousElementSibling.append(" ", copy, " ", link);
  }

  if (last < 0) return;
  $("slider").max = last;
  $("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  $("first").addEventListener("click", () => go(0));
  $("back").addEventListener("click", () => go(now - 1));
  $("next").addEventListener("click", () => go(now + 1));
  $("end").addEventListener("click", () => go(last));
  $("play").disabled = last === 0;
  $("play").addEventListener("click", () => {
    if (!timer && now === last) show(0, false);
    play(!timer);
  });
  if (clock) {
    // The chart is a slider: the last happening at the pointer or before it is shown.
    const chart = clock.ownerSVGElement;
    const move = (event) => {
      const box = chart.getBoundingClientRect();
      const time = ((event.clientX - box.left) * 1000 / box.width - 400) / 560 * end;
      go(data.frames.findLastIndex((frame) => (frame.time ?? 0) <= time + end / 280));
    };
    chart.style.cursor = "ew-resize";
    chart.addEventListener("pointerdown", move);
    chart.addEventListener("pointermove", (event) => { if (event.buttons) move(event); });
  }
  $("fit").hidden = !$("picture");
  $("fit").setAttribute("aria-pressed", "false");
  $("fit").addEventListener("click", () => {
    const frame = $("picture").parentElement;
    const top = Math.max(0, frame.getBoundingClientRect().top);
    frame.style.setProperty("--room", `${Math.max(200, innerHeight - top - 8)}px`);
    $("fit").setAttribute("aria-pressed", frame.classList.toggle("fit"));
    follow("#parts .fault", "#parts .new");
  });
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details.print")) part.open = true;
  });
  $("all-facts").addEventListener("toggle", () => facts(now));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-to]");
    if (!link) return;
    event.preventDefault();
    go(placeOf(Number(link.dataset.to)));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === $("slider")) return;
    const wanted = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    go(wanted);
  });
  addEventListener("hashchange", () => go(fromHash()));
  document.querySelector(".controls").hidden = false;
  show(fromHash(), false);
  follow("#chart rect.fault");
})();
