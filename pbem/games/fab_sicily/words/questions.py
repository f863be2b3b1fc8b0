"""The kinds of question in a player's words: what is asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """``title``: a few words; ``prompt``: the question itself."""

    title: str
    prompt: str = ""


QUESTIONS: dict[str, Question] = {
    "garrison": Question("Coastal garrisons", "Where do your coastal garrisons stand?"),
    "plan": Question("Landing plan", "Which landing plan do you follow? The enemy learns it from your beachheads."),
    "beachhead": Question("Beachheads", "Where do your beachheads lie?"),
    "recover": Question("Take an asset back", "You left your Special Action unused: one asset may come back from your Used Box."),
    "arrival": Question("Arriving units", "Where do your new units arrive?"),
    "admin": Question("Admin orders", "Engineers, events, Special Actions and staff: what do they do?"),
    "movement": Question("Movement orders", "Move, dig field works, go into reserve, or stay."),
    "strategic": Question("Strategic movement", "Units in reserve may move along your own supplied areas."),
    "reaction": Question("Reaction orders", "Your units in reserve may move or dig now; they may not open a new battle."),
    "breakthrough": Question("Breakthrough orders", "Units in reserve move as usual, exploiting units one area."),
    "drop": Question("Airborne drop", "Where do your airborne units land?"),
    "resupply": Question("Air resupply", "Which areas are supplied by air?"),
    "battle": Question("Battles", "Which battle comes next?"),
    "bridge": Question("Blow the bridge?", "The enemy is about to cross. Try to blow the bridge? It goes down on 1 to 5."),
    "crossing": Question("Cross the river?", "The bridge in front of your unit is blown. Cross all the same?"),
    "intercept": Question("Air combat?", "The enemy flies a mission. Cancel it with an air asset of your own?"),
    "before-battle": Question("Before the battle", "Stand, bring up another unit, or slip away? Both cost a Special Action."),
    "assets": Question("Assets for the battle", "Which of your assets join in? One a line, then 'done'."),
    "air-role": Question("Task of the aircraft", "Do your aircraft fire as artillery, or support one unit (+2)?"),
    "point-unit": Question("Point unit", "Which unit leads? It takes the first loss, and the enemy's dice depend on it."),
    "abort": Question("Press on or break off?", "More hits are to be taken. Lose steps, or break the attack off (disordered)?"),
    "loss": Question("Who takes the loss?", "Which unit or asset takes this hit?"),
    "disorder": Question("Disorder or loss?", "One artillery hit may be absorbed by falling into disorder."),
    "retreat-or-loss": Question("Retreat or loss?", "One hit may be absorbed by retreating."),
    "retreat-to": Question("Retreat where?", "Where does the unit retreat to?"),
    "clear-works": Question("Clear the field works?", "Clear the enemy's field works instead of firing?"),
    "exploit-check": Question("Exploit?", "A morale check may allow your armor to exploit; it shows the unit."),
    "collapse": Question("Italian morale collapses", "Which Italian asset in the Available Box is eliminated?"),
    "overstack": Question("Too many units", "Only two units of a side may stay in an area. Which one leaves?"),
}
