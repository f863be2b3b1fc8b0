"""What is in deploy/: the container, its compose file, the units."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.config import Config

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")


def steps(name: str = "Dockerfile") -> list[tuple[str, str]]:
    """The instructions of the image, with their words."""
    lines = [line for line in (DEPLOY / name).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(verb, rest) for verb, _, rest in (line.partition(" ") for line in lines)]


def service() -> dict[str, object]:
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert list(found["services"]) == ["judge"] and list(found["volumes"]) == ["club"]
    judge: dict[str, object] = found["services"]["judge"]
    return judge


def seconds(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([sm])", text).groups()  # type: ignore[union-attr]
    return int(number) * {"s": 1, "m": 60}[unit]


def test_the_image_is_built_of_files_that_are_there_and_go_to_the_builder() -> None:
    copied = [w for verb, rest in steps() if verb == "COPY" and "--from" not in rest for w in rest.split()[:-1]]
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied and set(copied) == sent and all((ROOT / name).exists() for name in copied)


def test_what_the_wheel_needs_is_copied() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], project["project"]["readme"], project["project"]["license"]["file"]}
    copied = {w for verb, rest in steps() if verb == "COPY" for w in rest.split()[:-1]}
    assert needed | {"pyproject.toml"} <= copied


def test_the_process_in_the_container_is_not_root_and_is_watched() -> None:
    verbs = [verb for verb, _ in steps()]
    said = dict(steps())
    last = len(verbs) - 1 - verbs[::-1].index("FROM")
    assert "USER" in verbs[last:] and said["USER"] not in ("root", "0")
    assert verbs.index("USER") > [i for i, (v, r) in enumerate(steps()) if v == "RUN"][-1]
    assert '"pbem", "health"' in said["HEALTHCHECK"] and said["VOLUME"] == "/var/lib/pbem"
    assert (said["ENTRYPOINT"], said["CMD"]) == ('["pbem"]', '["run"]')
    settings = re.findall(r"PBEM_(\w+)=", said["ENV"])
    assert settings and {s.lower() for s in settings} <= set(Config.model_fields)


def test_the_compose_file_says_what_the_guide_promises() -> None:
    judge = service()
    assert judge["build"] == {"context": "..", "dockerfile": "deploy/Dockerfile"} and judge["command"] == ["run"]
    assert judge["read_only"] is True and judge["cap_drop"] == ["ALL"] and "no-new-privileges:true" in judge["security_opt"]
    assert "club:/var/lib/pbem" in judge["volumes"] and judge["restart"] == "unless-stopped"
    assert "ports" not in judge and "privileged" not in judge and "user" not in judge
    assert Config(db=Path(judge["environment"]["PBEM_DB"])).health.parent == Path("/var/lib/pbem")
    assert seconds(judge["stop_grace_period"]) >= 60
    check = judge["healthcheck"]
    assert check["test"] == ["CMD", "pbem", "health"] and seconds(check["interval"]) > seconds(check["timeout"])
    assert judge["env_file"] == ["./.env"]


def test_docker_takes_the_compose_file(tmp_path: Path) -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        pytest.skip("docker compose is not installed")
    for name in ("compose.yaml", "Dockerfile"):
        shutil.copy(DEPLOY / name, tmp_path)
    shutil.copy(DEPLOY / ".env.example", tmp_path / ".env")
    asked = [docker, "compose", "-f", str(tmp_path / "compose.yaml"), "config", "--quiet"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["pbem.service", "pbem-backup.service", "pbem-backup.timer"])
def test_systemd_takes_the_units(name: str, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    for unit in DEPLOY.glob("pbem*.*er*"):
        text = unit.read_text(encoding="utf-8").replace("/opt/pbem/bin/pbem run", "/bin/true")
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    done = subprocess.run([analyze, "verify", "--man=no", str(tmp_path / name)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    if name == "pbem.service":
        judged = subprocess.run(
            [analyze, "security", "--offline=true", "--threshold=20", str(tmp_path / name)], capture_output=True, text=True
        )
        assert judged.returncode == 0, judged.stdout


def test_the_guide_and_the_units_name_the_same_places() -> None:
    guide, unit = (DEPLOY / "README.md").read_text(encoding="utf-8"), (DEPLOY / "pbem.service").read_text(encoding="utf-8")
    for place in ("/opt/pbem", "/var/lib/pbem", "/etc/pbem/env"):
        assert place in guide and place in unit
    copies = (DEPLOY / "pbem-backup.service").read_text(encoding="utf-8")
    assert "/var/backups/pbem" in guide and "/var/backups/pbem" in copies


def test_the_guide_names_settings_that_there_are() -> None:
    named = re.findall(r"\bPBEM_([A-Z_]+)\b", (DEPLOY / "README.md").read_text(encoding="utf-8"))
    assert len(named) > 20 and {n.lower() for n in named} <= set(Config.model_fields)


def test_links_within_the_guide_lead_to_headings() -> None:
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    headings = {re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", page)) <= headings
