// The page itself: ticks each row as it is checked, compares what is shown with the journal, and filters the rolls.
"use strict";

(() => {
  const $ = id => document.getElementById(id);
  const game = window.PBEM;

  function mark(number, good, why) {
    for (const cell of document.querySelectorAll(`[data-tick="${number}"]`)) {
      cell.textContent = good ? "✓ checked" : "✗ WRONG";
      cell.className = good ? "n good" : "n bad";
      if (why) cell.title = why;
    }
  }

  // what the page shows of a row must be what the journal says of it
  function shown(row) {
    if (row.payload === undefined) return "";
    const payload = JSON.parse(row.payload);
    for (const cell of document.querySelectorAll(`[data-payload="${row.seq}"]`)) if (cell.textContent !== row.payload) return "the page shows other content than the journal has";
    for (const cell of document.querySelectorAll(`[data-order="${row.seq}"]`)) {
      if (!(payload.directives || []).some(d => d.text === cell.textContent)) return "the page shows an order that the journal does not have";
    }
    for (const cell of document.querySelectorAll(`[data-answer="${row.seq}"]`)) if (cell.textContent !== payload.key) return "the page shows another decision than the journal has";
    for (const cell of document.querySelectorAll(`[data-faces="${row.seq}"]`)) {
      const said = cell.textContent.trim().split(/\s+/).map(Number);
      if (canonical(said) !== canonical(payload.faces)) return "the page shows other dice than the journal has";
    }
    return "";
  }

  async function verify() {
    const out = $("verdict"), bar = $("progress"), checker = new Verifier(game);
    document.body.dataset.verdict = "working";
    out.className = "";
    out.textContent = "Checking …";
    bar.max = game.rows.length;
    for (const cell of document.querySelectorAll("[data-tick]")) { cell.textContent = "not checked"; cell.className = "n"; }
    let number = 0, wrong = "";
    try {
      await checker.begin();
      for (; number < game.rows.length; number++) {
        await checker.row(game.rows[number], number);
        const why = shown(game.rows[number]);
        if (why) throw new Wrong(`row ${number}: ${why}`);
        mark(number, true);
        if (number % 100 === 0) { bar.value = number; await new Promise(done => setTimeout(done, 0)); }
      }
      checker.end();
    } catch (error) {
      if (!(error instanceof Wrong)) console.error(error);
      wrong = error instanceof Wrong ? error.message : `row ${number} cannot be read (${error.message})`;
      mark(number, false, wrong);
    }
    bar.value = number;
    const dice = game.seeds.length ? `${checker.dice} dice thrown again from the seed` : "the dice can be thrown again when the seed is opened, at the end of the game";
    const hidden = checker.hidden ? `, ${checker.hidden} of them known by their hash alone` : "";
    out.textContent = wrong ? `✗ WRONG: ${wrong}` : `✓ All ${number} rows${hidden} and ${checker.rolls} rolls agree; ${dice}. Checked with ${Hash.by}.`;
    out.className = wrong ? "bad" : "good";
    document.body.dataset.verdict = wrong ? "wrong" : "whole";
    if (wrong && $(`row-${number}`)) { const link = document.createElement("a"); link.href = `#row-${number}`; link.textContent = " Go to the row"; out.append(link); }
  }

  function filter() {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const side = $("side").value, turn = $("turn").value;
    let count = 0;
    for (const row of document.querySelectorAll("#rolls tbody tr")) {
      const text = row.textContent.toLowerCase();
      const fits = words.every(w => text.includes(w)) && (!side || row.dataset.side === side) && (!turn || row.dataset.turn === turn);
      row.hidden = !fits;
      count += fits;
    }
    $("count").textContent = `${count} rolls shown`;
  }

  // a link into a closed part opens it
  function open() {
    let at = location.hash && $(location.hash.slice(1));
    for (; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (location.hash && $(location.hash.slice(1))) $(location.hash.slice(1)).scrollIntoView();
  }

  for (const id of ["find", "side", "turn"]) $(id).addEventListener("input", filter);
  $("again").addEventListener("click", verify);
  window.addEventListener("hashchange", open);
  const asked = new URLSearchParams(location.search);
  if (asked.get("find")) $("find").value = asked.get("find");
  filter();
  open();
  verify();
})();
