# SPDX-License-Identifier: MIT
"""Opens pages in headless Chromium, without a network, for tests and pictures."""

import html
import json
import pathlib
import re
import subprocess
import tempfile

# A frame, because a window of headless Chromium is not as narrow as a phone.
_FRAME = """<iframe src="page.html" width="%d" height="900" style="border: 0"></iframe>
<script>addEventListener("message", event => { document.title = event.data; });</script>"""


def chromium(folder: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         f"--user-data-dir={folder}/profile", "--window-size=1300,1000",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=10000", *words],
        capture_output=True, text=True, timeout=180)


def look(text: str, probe: str, width: int) -> tuple[object, list[str]]:
    """What `probe`, a script that posts JSON to its parent, saw in a window of this width, and what the console said."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "page.html").write_text(text.replace("</body>", probe + "</body>"))
        frame = pathlib.Path(folder) / "frame.html"
        frame.write_text(_FRAME % width)
        done = chromium(folder, "--dump-dom", frame.as_uri())
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    if not title or title[1][:1] not in ("{", "["):
        raise AssertionError(f"Chromium showed no page:\n{done.stderr[-2000:]}")
    return json.loads(html.unescape(title[1])), [line for line in done.stderr.splitlines() if "CONSOLE" in line]
