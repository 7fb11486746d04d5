"""The words of sentences around a plan: what forbids, denies or changes it, and what is polite."""

from __future__ import annotations

import re
from typing import Final

from pddl_pipeline.answers.english import ARTICLES, BE, NEGATIVE, OPENING, listed

OFFERS: Final = re.compile(
    r"\b(?:let me know|feel free to (?:ask|reach|contact|share|request|tell|let|write)"
    r"|would you like"
    r"|do you (?:want|have)|don't hesitate|(?:shall|should) i\b|happy to|glad to|i (?:can"
    r"|could) (?:also |always )?(?:explain|walk"
    r"|show|provide|help|verify|describe|give|write|translate|draw|elaborate)|hope (?:this|that|it)"
    r"|thanks?\b|please (?:ask|reach|contact|tell)|(?:if|should|whenever) you(?: (?:have|need"
    r"|want|would|d|like|prefer)|'d)"
    r"|good luck|enjoy|any (?:further |other |more )?questions)",
    re.IGNORECASE,
)
ABOUT: Final = re.compile(r"\b(?:explain|describe|clarify|elaborate|questions?)\b", re.IGNORECASE)
REFERENCE: Final = re.compile(
    r"\b(?:steps?|actions?|moves?|items?|lines?|instructions?|points?|numbers?|no\.?|nr\.?"
    r"|commands?)\s{0,3}"
    r"(?:#?\d|one\b|two\b|three\b|four\b|five\b)"
    r"|\b(?:first|second|third|fourth|fifth|sixth|last|final|previous|preceding|penultimate|initial"
    r"|opening|closing|other|odd|even|\d+(?:st|nd|rd|th)|(?:the|last|first) (?:two"
    r"|three))(?:\s\w+){0,2}"
    r"\s(?:steps?|actions?|move"
    r"|items?|lines?|instructions?|commands?|operations?)\b|\b(?:first|second|third|last|final"
    r"|previous|other|odd|even)\s(?:ones?|two|three)\b|#\d",
    re.IGNORECASE,
)
"""Words for steps by their place."""
TIMED: Final = re.compile(
    r"\b(?:from|after|in|by|since|during|see|until|before|through|on|to) (?:the )?"
    r"(?:(?:first|second|third"
    r"|last|previous"
    r"|final) )?"
    r"(?:(?:steps?|actions?|moves?)(?: {1,9}\d+)?| {0,9}\d+)\b",
    re.IGNORECASE,
)
"""Words for the time of a claim."""
STEPS_LABEL: Final = re.compile(r"\A\W*steps? [\d\s,&\u2013-]+(?:and \d+)?:", re.IGNORECASE)
ORDERED: Final = re.compile(
    r"\b(?:start|begin|continue|go|stop|resume|end|on(?:wards?)?|do|execute|perform|use)\b",
    re.IGNORECASE,
)
NUMBER: Final = re.compile(
    r"(?<![\w.])\d{1,4}(?![\w.]*\w|\s(?:\w+\s)?(?:steps?|actions?|moves?|blocks?|trips?"
    r"|operations?|stacks?|towers?"
    r"|times?|minutes?|seconds?|units?|cars?|balls?|crates?)\b)"
)
"""A number that may be one of a step."""
COUNT: Final = re.compile(r"\b(?:costs?|total|length|count|sum)\b", re.IGNORECASE)
NEEDLESS: Final = re.compile(r"\b(?:is|are) (?:needless|not needed|unnecessary)\b", re.IGNORECASE)
STRONG: Final = re.compile(
    r"\b(?:instead(?! (?:would|could))|skip\w*|swap\w*|exchang\w+|interchang\w+|switch\w*"
    r"|trade[ds]?|trading|repeat\w*"
    r"|\Ado the same"
    r"|redo|undo\w*|revert\w*|replac\w+|substitut\w+|omit\w*|leav(?:e|es|ing) out|left out"
    r"|cancel\w*|withdraw\w*"
    r"|retract\w*|disregard\w*|ignor\w+|scratch|scrap\w*|strike|struck|discard\w*|forg[eo]t\w*"
    r"|never ?mind"
    r"|hold on|oops|sorry|apolog\w+|unsolvable|start over|second thought|reconsider\w*|rethink"
    r"|amend\w*|revis\w+"
    r"|insert\w*|twice|thrice|once more|(?:one|an?)(?:other| more| extra| additional) (?:step"
    r"|action|move|time)s?"
    r"|vice versa|(?:opposite|any|another) order|other way|optional\w*|redundant|superfluous"
    r"|obsolete|exclud\w+"
    r"|overlook\w*|drop(?:ped|ping)? (?:step|this step|it from)|(?:remov|delet"
    r"|eliminat)\w+ (?:step|this step|the (?:\w+ )?(?:step|action|move))"
    r"|add \w+ing|add(?:ing)? (?:a |an |one |another )?(?:step|action|move)|reorder\w*"
    r"|rearrang\w+ (?:the )?(?:steps|actions|moves|order|plan)|undone|for show|invert\w*|flip\w*"
    r"|(?:don't|do not) forget|correction|i (?:mean|meant|wrote|said)"
    r"|(?:do|does|did|will|would|can) ?(?:not|n't) (?:\w+ ){0,2}(?:reach|achieve|satisfy|solve"
    r"|meet|lead|fulfil)\w*"
    r"|\A\W*(?:not(?: \w+)?|nope?)\W*\Z|(?:must|should|has to|have to|is to"
    r"|are to) be (?:executed|performed|read|run|done|carried)|(?:do|does|did|will|wo|would|is"
    r"|are|was|should|must) ?(?:not|n't) (?:be )?(?:\w+ )?(?:work\w*|valid|right|count\w*"
    r"|appl(?:y|ied)"
    r"|meant|execute[d]?|included?|performe?d?|followe?d?|used?|run|done)"
    r"|comes? (?:before|first|earlier|later)|goes? (?:before|first|earlier)"
    r"|(?:two|three|four|five|\d+) times|only (?:if|when)|unless|not ticked"
    r"|too (?:many|few)|had better|deleted|unfortunately|alas|if only|would have|supersed\w+"
    r"|(?:keep|execut|us|includ|perform|appl|valid|solv|feasib|success|correct|reach|achiev"
    r"|works?)\w*\W{0,2}"
    r"(?:is|:) (?:false|no|n|0))(?![\w'])",
    re.IGNORECASE,
)
"""Words that change or withdraw steps."""
ORDERS_PLAN: Final = re.compile(
    r"\A\W*(?:then |please |only |just |now |so )*(?:execute|perform|read|run"
    r"|do(?! you)(?! ?n[o']t hesitate)|start|begin|stop|use|take|leave|treat)\b",
    re.IGNORECASE,
)
"""Commands to treat the plan in another way."""
WEAK: Final = re.compile(
    r"\b(?:bad|example of|differs?|bottom to top|last to first|revers\w+|backwards?|actually"
    r"|wait(?! for)|mistak\w+|errors?|wrong\w*|incorrect\w*|invalid\w*|fail\w*|impossible"
    r"|try again|reali[sz]e|bottom"
    r"|(?<!empty )(?<!clear )(?<!free )(?<!true )again"
    r"|beforehand|prior to|likewise|similarly|same (?:for|with|again|way|thing)"
    r"|(?:different|other|new) (?:order|sequence|way)|and so (?:on|forth)|etc|unnecessary"
    r"|needn'?t|void|draft|tentative"
    r"|except\w*|apart from|missing|missed|lacks?|lacking|(?:remov|delet|eliminat|drop"
    r"|cut)\w* (?:it|this|that|them|those|out)\b"
    r"|(?:not|n't"
    r"|no longer) (?:be )?(?:\w+ly )?"
    r"(?:need\w*|necessary|required|intended|happen\w*|correct)|only (?:do|use|execute|perform"
    r"|follow|the|steps?|until|up to)"
    r"|stop (?:after|before|at)|up to step|better|rather"
    r"|but (?:first|before)|continu\w+|proceed"
    r"|the rest|remaining (?:steps?|actions?|moves?)|(?:different|another) (?:plan|problem"
    r"|puzzle|task|robot)|hypothetical\w*"
    r"|pretend\w*|earlier|later|(?:last|first) (?:one|two|three)|take (?:\w+ )?back|no,"
    r"|not (?:the|this|that|so)\b|first,? (?:do|make)|test only"
    r"|move\w* up|in front|executed? (?:first|last|in)|double[ds]?(?!-)|halve\w*)(?![\w'])",
    re.IGNORECASE,
)
"""Words that may change a step if the sentence is not understood as a claim or a reason."""
DENIED: Final = re.compile(
    r"\b(?:no|not|without|never|nothing|none|any|avoid\w*|neither|nor|free of"
    r"|\w+n't)\s(?:\w+\s){0,3}\Z",
    re.IGNORECASE,
)
DESCRIBES: Final = re.compile(
    r"\W{0,3}(?:(?:this|the|these|my|our)\s(?:\w+\s){0,2}(?:plan|sequence|approach|solution"
    r"|steps|actions|strategy|key|idea|process)"
    r"|it\s(?:then|also|first|finally)?\s?\w+s\b|in (?:summary|short|sum)|overall|finally,? it"
    r"|then,? it"
    r"|by (?:\w+ly )?(?:orchestrating|following|performing|executing|doing|carrying)|this\s(?:is"
    r"|was|will|makes|leaves|frees|clears|allows|ensures|gives|means)"
    r"|this (?:action|step|move) (?:is (?!not|opt|un)|makes|leaves|frees|clears|allows|ensures))\b",
    re.IGNORECASE,
)
AT_FIRST: Final = re.compile(
    r"\b(?:initial(?:ly)?|originally|at first|before the plan|at the (?:start|beginning)"
    r"|starts? (?:out|off)"
    r"|to begin with)\b",
    re.IGNORECASE,
)
TO_DO: Final = re.compile(
    r"\b(?:must|should|shall|(?:is|are|has|have|needs?|ought) to be|execute[ds]?|perform(?:ed"
    r"|s)?|followed|run|read|apply"
    r"|carried|please|have to|has to)\b",
    re.IGNORECASE,
)
SPARE: Final = re.compile(
    r"\b(?:is|are|was)(?: not|n't| no longer) (?:\w+ly )?(?:needed|necessary|required)\b",
    re.IGNORECASE,
)
COMMANDS: Final = re.compile(
    r"\b(?:do not|don't|never|(?:must|should|need) not)\b|\A(?:not|no)\b", re.IGNORECASE
)
SIGNS: Final = re.compile(r"[\u2717\u2718\u274c\u2260]|~~")
NO_PLAN: Final = re.compile(
    r"\b(?:(?:there(?: is|'s| exists)|has|found|find|have|exists?) no (?:\w+ )?(?:plan|solution|way"
    r"|sequence)"
    r"|no (?:\w+ )?(?:plan|solution|sequence) (?:exists?|is possible|can)"
    r"|(?:is|be|it's) (?:\w+ )?(?:unsolvable|not solvable)"
    r"|(?:it|this|goal|problem|puzzle|task|answer|that)(?: is|'s|:) (?:\w+:? )?(?:impossible"
    r"|not possible)"
    r"|(?:unable|failed) to (?:solve|find|reach|achieve)"
    r"|(?:cannot|can't|can not) (?:\w+ )?(?:be )?(?:solve[d]?|achieve[d]?|reach(?:ed)?|do this))\b",
    re.IGNORECASE,
)


ON_PLAN: Final = re.compile(
    r"\b(?:th(?:is|at|ese|ose)|above|below|following|follows?|plans?|solution|answer|sequence"
    r"|steps|actions|moves|lists?|everything|(?:all|half|some|most|none) of|ones)\b",
    re.IGNORECASE,
)
"""Words for a plan or parts of it."""
DENIES: Final = re.compile(
    r"(?:\b(?:not|no|never|none of|cannot)|n't)\b(?!.{0,30}\b(?:shorter|fewer|better|other|more"
    r"|longer"
    r"|further|need|necessary|only|just|violat\w+|broken?|wasted|optimal|conflict\w*)\b)"
    r"|\b(?:doubt\w*|unable|unsure|uncertain|fail\w*|wrong|incorrect|invalid|mistakes?|impossible"
    r"|illustrat\w+|against|violates an?|bad|example of|errors?|bogus|fake|discard\w*"
    r"|reject\w*|guess\w*|breaks an?"
    r"|nicht|kein\w*|falsch|pas|jamais|faux|nunca|falso|incorrecto|n\u00e3o|non)\b"
    r"|[\u4e0d\u6ca1\u52ff\u522b\u9519]",
    re.IGNORECASE,
)
"""Words that forbid, deny or doubt a plan."""
UNREAL: Final = re.compile(
    r"\b(?:if|otherwise|but|had|also|instead|alternatively)\b", re.IGNORECASE
)
MUST: Final = re.compile(
    r"\b(?:should(?! (?:achieve|reach|work|solve|satisfy|result|lead|bring|do it))|must"
    r"|ought|ha(?:s|ve) to|needs? to)\b",
    re.IGNORECASE,
)
REORDERS: Final = re.compile(
    r"\b(?:revers\w+|backwards?|bottom|last to first|end to|order \w*\d|twice|times|only|except\w*"
    r"|skip\w*|without|other|last)\b",
    re.IGNORECASE,
)
AFFIRMS: Final = re.compile(
    r"\b(?:achiev|reach|satisf|fulfil|meet|met\b|work|valid|correct|solv|optim|complet|goal|ensur"
    r"|guarant|respect|follow|short|minim|few|efficien|requir|need|necess|essential|result|done"
    r"|success"
    r"|check|verif|hold|legal|rule|accord|fun\b|help|sense|clear|simple|straight|right|good|final"
    r"|desired|state|order|possible|precondition|condition|constraint|effect|reason|because"
    r"|transform"
    r"|accomplish|lead|give|allow|execut|perform|applicable|appl|explain|idea|way|how"
    r"|step.by.step|fine"
    r"|deliver|end|leav|make|total|cost|length|nice|pleasure|exercise|great|perfect|safe|feasib"
    r"|has\b"
    r"|contain|consist|use|here|remov|restor|establish|each|every|restrict|violat|per\b|temporar"
    r"|build|all there is|takes|below is|do it|that's (?:it|all)\b)\w*",
    re.IGNORECASE,
)
"""Words of a sentence that says something good of a plan, or describes it."""
COMMAND: Final = re.compile(
    r"\W*(?:(?:please|now|then|also|so|and|but|finally|lastly|just|simply|instead|next"
    r"|afterwards)\W+)*"
    r"([a-z]+)\s+(?:the|a|an|all|every\w*|it|this|that|these|those|them|only|both|each|steps?|my"
    r"|your"
    r"|one|half|nothing|out|back|away|together|any|some|number|lines?|either)\b",
    re.IGNORECASE,
)
"""A command by its form: a word that is none of those that begin other sentences, and an object."""
FAMILIAR: Final = frozenset({
    "note", "see", "check", "verify", "notice", "recall", "observe", "consider", "confirm",
    "ensure", "make", "assume", "has", "did", "followed", "given", "based", "best", "unlike",
    "despite", "during", "under", "between", "per", "like", "whether", "what", "why", "how",
    "about", "above",
    "below", "through", "within", "free", "follow", "implement", "maintain", "hold", "manage",
    "assert", "print", "throughout", "build",
})  # fmt: skip
SUBJECTS: Final = OPENING | ARTICLES | frozenset({
    "these", "those", "my", "no", "each", "every", "done", "step", "okay", "great", "good",
    "enjoy", "hope", "thanks",
    "thank", "feel", "is", "happy", "keep", "remember", "note", "goal", "success", "total",
    "cost", "plan", "that", "hand",
    "nothing", "voila", "yes", "ok", "any", "don", "nice", "interesting", "sure", "of",
    "certainly",
})  # fmt: skip
"""Words with which a sentence may begin that is no command."""
BEGINNINGS: Final = (
    FAMILIAR | OPENING | BE | NEGATIVE | SUBJECTS | listed("links") | listed("joining")
)
FOREIGN: Final = re.compile(
    r"[^\W\d_a-z]|\b(?:der|die|das|den|dem|ist|nicht|und|bitte|eine?|le|la|les|des|est|et|une|pas"
    r"|ne|el|los|las|este|que|es|en|por|il|di|che|non|os|uma|het|een|nie|niet)\b",
    re.IGNORECASE,
)
"""Letters and words of other languages."""
COURTESY: Final = re.compile(
    r"ziel|hoffe|danke|erfolg|spa\u00df|\b(?:but|objectif|esp\u00e8re|merci|bonne|objetivo|espero"
    r"|gracias|suerte|obiettivo|spero|grazie|obrigad\w+)\b|[\u76ee\u5e0c\u8c22]",
    re.IGNORECASE,
)
"""Words of thanks, hope and goals in other languages."""


def changes(words: re.Pattern[str], text: str) -> bool:
    """Return whether a text has one of some words, and does not deny it."""
    return any(
        not DENIED.search(text[max(0, match.start() - 60) : match.start()])
        for match in words.finditer(text)
    )


def denies(text: str, *, above: bool) -> bool:
    """Return whether a sentence in front of a plan forbids, denies or doubts it.

    Args:
        text: the sentence, which names no object.
        above: whether it is the title of the plan, or right above it.
    """
    denied = any(
        DENIES.search(part) and (above or ON_PLAN.search(part))
        for part in re.split(r"[,;] and |;| but | so ", text)
    )
    about = ON_PLAN.search(text) is not None
    orders = ORDERS_PLAN.search(text) is not None and changes(REORDERS, text)
    bare = not (AFFIRMS.search(text) or text.endswith(":") or len(text.split()) < 5)
    other = command(text) not in ("", "execute", "perform", "do", "use", "apply", "try", "take")
    return denied or orders or (about and (bare or other or changes(STRONG, text)))


def command(text: str) -> str:
    """Return the verb of a sentence that has the form of a command, and not one to take note."""
    verb = (COMMAND.match(text) or [""] * 2)[1].lower()
    return "" if verb in BEGINNINGS or re.search(r"(?:ing|ly|[^s]s)\Z", verb) else verb


def amends(text: str) -> bool:
    """Return whether a sentence without objects may change what stands before it."""
    return not OFFERS.search(text) and (changes(STRONG, text) or changes(WEAK, text))
