"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const last = data.frames.length - 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let now = -1;

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
  const fill = (id, items, empty) => {
    const list = $(id);
    list.replaceChildren(...items);
    if (!items.length && empty) list.append(make("li", "muted", empty));
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
    const parts = $("parts");
    if (!parts) return;
    const old = animate ? drawn() : new Map();
    parts.innerHTML = frame.parts.map((part) => data.parts[part]).join("");
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
    const before = place ? holds[place - 1] : holds[0];
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

  const show = (place, animate) => {
    place = Math.max(0, Math.min(last, place));
    if (place === now) return;
    const frame = data.frames[place];
    draw(frame, animate && !still.matches);
    const picture = $("picture");
    if (picture) picture.setAttribute("aria-label", "Picture: " + frame.say);
    $("say").textContent = frame.say;
    $("say").className = frame.failed ? "fault" : "";
    $("slider").value = place;
    $("slider").setAttribute("aria-valuetext", frame.title);
    $("count").textContent = frame.title;
    $("first").disabled = $("back").disabled = place === 0;
    $("next").disabled = $("end").disabled = place === last;
    fill("changes", [
      ...frame.add.map((f) => item("add", "+", "new:", data.facts[f][1], data.facts[f][0])),
      ...frame.del.map((f) => item("del", "−", "no longer:", data.facts[f][1], data.facts[f][0])),
      ...frame.values.map((v) => item("add", "→", "value:", v, "")),
    ], frame.failed ? "Nothing: the step cannot be executed." : place ? "Nothing." :
       "Nothing yet: this is the initial state.");
    const fault = $("fault");
    fault.hidden = !(frame.unmet.length || frame.reason);
    $("fault-title").textContent = frame.failed ? `Why step ${frame.number} fails` :
      "Why the plan misses the goal";
    fill("unmet", frame.unmet.map(([pddl, words, values]) => {
      const li = item("no", "✗", "does not hold:", words, pddl);
      if (values) li.append(make("div", "", values));
      return li;
    }));
    $("unmet").previousElementSibling.hidden = !frame.unmet.length;
    $("reason").textContent = frame.reason;
    fill("goals", data.goals.map(([pddl, words], index) => {
      const state = frame.goals[index];
      return state === "1" ? item("yes", "✓", "reached:", words, pddl)
        : state === "0" ? item("open", "○", "not reached:", words, pddl)
          : item("open", "?", "not known:", words, pddl);
    }), "The goal is empty.");
    $("cost").textContent = frame.cost;
    for (const value of document.querySelectorAll("[data-fluent]")) {
      value.textContent = frame.fluents[value.dataset.fluent];
    }
    for (const entry of document.querySelectorAll("[data-step]")) {
      const step = Number(entry.dataset.step);
      const current = step <= frame.number && step > frame.number - Math.max(frame.group, 1);
      if (current) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
      if (current && now >= 0) {
        const list = entry.parentElement;
        const top = entry.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top + entry.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = top - list.clientHeight / 2;
        }
      }
    }
    if ($("all-facts").open) facts(place);
    now = place;
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

  if (last < 0) return;
  $("slider").max = last;
  $("slider").addEventListener("input", (event) => show(Number(event.target.value), true));
  $("first").addEventListener("click", () => show(0, true));
  $("back").addEventListener("click", () => show(now - 1, true));
  $("next").addEventListener("click", () => show(now + 1, true));
  $("end").addEventListener("click", () => show(last, true));
  $("all-facts").addEventListener("toggle", () => facts(now));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-to]");
    if (!link) return;
    event.preventDefault();
    show(placeOf(Number(link.dataset.to)), true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === $("slider")) return;
    const wanted = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    show(wanted, true);
  });
  addEventListener("hashchange", () => show(fromHash(), true));
  document.querySelector(".controls").hidden = false;
  show(fromHash(), false);
})();
