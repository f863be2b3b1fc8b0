"""The page of a report in a browser, at the breadth of a phone, of a small window and of a large one, by day and by night:
nothing sticks out, no letter is too small, and everything can be read on its background.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pbem.reports.render import html_report
from tests.reports.test_render import every_mail

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
pytestmark = pytest.mark.skipif(not BROWSER and not os.environ.get("CI"), reason="there is no chromium here")

BREADTHS = (360, 500, 1200)
KINDS = ("report", "welcome", "over", "receipt", "refusal", "silent", "note")
SMALLEST = 12.5
"""Pixels; the smallest letters are rule numbers and sources, of which nothing hangs."""
CONTRAST = 4.5
"""WCAG 2.1, 1.4.3."""

CHECK = """
const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const parts = s => s.match(/[\\d.]+/g).map(Number);
function behind(element) {
  for (let e = element; e; e = e.parentElement) {
    const c = parts(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return [255, 255, 255];
}
function looked(frame) {
  const page = frame.contentDocument, walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const found = {breadth: frame.clientWidth, reach: page.documentElement.scrollWidth, small: [], dim: [], texts: 0, night: false};
  found.night = frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches;
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    if (!words || ["STYLE", "TITLE"].includes(element.tagName)) continue;
    const style = frame.contentWindow.getComputedStyle(element), a = light(parts(style.color)), b = light(behind(element));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.texts += 1;
    if (parseFloat(style.fontSize) < SMALLEST) found.small.push(words);
    if (contrast < CONTRAST) found.dim.push([words, contrast]);
  }
  return found;
}
onload = () => {
  const all = [...document.querySelectorAll("iframe")].map(looked);
  document.getElementById("said").textContent = JSON.stringify(all);
};
"""


def looked_at(folder: Path, night: bool) -> list[dict[str, Any]]:
    """What the browser finds of every kind of page at every breadth."""
    Image.new("RGB", (1200, 900), "#a9c3cf").save(folder / "map.png")
    frames = []
    for kind in KINDS:
        page = html_report(every_mail("Ann")[kind], [{"cid": "map", "alt": "Map of turn 2"}] if kind != "receipt" else [])
        (folder / f"{kind}.html").write_text(page.replace("cid:map", "map.png"), encoding="utf-8")
        frames += [f'<iframe src="{kind}.html" style="width:{n}px;height:900px;border:0"></iframe>' for n in BREADTHS]
    script = CHECK.replace("SMALLEST", str(SMALLEST)).replace("CONTRAST", str(CONTRAST))
    index = folder / "index.html"
    index.write_text(f'<script>{script}</script>{"".join(frames)}<pre id="said"></pre>', encoding="utf-8")
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder / 'browser'}",
        "--allow-file-access-from-files", f"--blink-settings=preferredColorScheme={0 if night else 1}",
        "--virtual-time-budget=60000", "--window-size=1300,1000", "--dump-dom", index.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    assert said and said[1], done.stderr[-2000:]
    found: list[dict[str, Any]] = json.loads(unescape(said[1]))
    return found


@pytest.mark.parametrize("night", [False, True])
def test_pages_fit_and_can_be_read(night: bool, tmp_path: Path) -> None:
    found = looked_at(tmp_path, night)
    assert len(found) == len(KINDS) * len(BREADTHS)
    for page, name in zip(found, [f"{k} at {n}" for k in KINDS for n in BREADTHS], strict=True):
        assert page["night"] is night and page["texts"] > 2, name
        assert page["reach"] <= page["breadth"], f"{name}: {page['reach']} pixels"
        assert not page["small"], f"{name}: too small: {page['small'][:5]}"
        assert not page["dim"], f"{name}: hard to read: {page['dim'][:5]}"
