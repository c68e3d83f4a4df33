"""Certificates and tokens, from node."""

import json
import subprocess
from pathlib import Path
from typing import Any

import trustme

from tests.clients.js.programs import ENVIRONMENT, NODE, PACKAGE
from tests.server.service.hosted import hosted

TOKEN = "-".join(["a", "token", "of", "some", "length"])
PROGRAM = """
import {{ readFileSync }} from "node:fs";
import {{ connect }} from {package};

const [address, cases] = [process.argv[2], JSON.parse(process.argv[3])];
const told = [];
for (const {{ token, files }} of cases) {{
  const tls = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readFileSync(file)]));
  const service = connect(address, {{ token, tls }});
  told.push(await service.serverInfo({{ timeoutMs: 2000 }}).then((info) => info.caller.name, (error) => error.name));
  service.close();
}}
console.log(JSON.stringify(told));
"""


def test_node_is_let_in_with_a_certificate_it_trusts_one_of_its_own_and_a_token(tmp_path: Path) -> None:
    authority, other = trustme.CA(), trustme.CA()
    for name, made in {"server": authority.issue_cert("127.0.0.1"), "own": authority.issue_cert("ben@example.org")}.items():
        made.private_key_pem.write_to_path(tmp_path / f"{name}-key.pem")
        made.cert_chain_pems[0].write_to_path(tmp_path / f"{name}.pem")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    other.cert_pem.write_to_path(tmp_path / "other.pem")
    (tmp_path / "tokens.toml").write_text(f'[tokens]\nada = "{TOKEN}"\n', encoding="utf-8")
    (tmp_path / "program.mjs").write_text(PROGRAM.format(package=json.dumps(str(PACKAGE / "dist" / "node.js"))), encoding="utf-8")
    trusted = {"root": str(tmp_path / "ca.pem")}
    own = trusted | {"certificate": str(tmp_path / "own.pem"), "key": str(tmp_path / "own-key.pem")}
    settings = {
        "tls_certificate": str(tmp_path / "server.pem"),
        "tls_key": str(tmp_path / "server-key.pem"),
        "tls_clients": str(tmp_path / "ca.pem"),
        "tokens": str(tmp_path / "tokens.toml"),
    }
    with hosted(web="127.0.0.1:0", **settings) as server:
        assert server.server.web_address is not None
        assert server.server.web_address.startswith("https://")
        cases: dict[str, Any] = {
            "ada": {"token": TOKEN, "files": own},
            "BadToken": {"token": f"{TOKEN}s", "files": own},
            "ShuttingDown": {"token": TOKEN, "files": trusted},
            "ServiceError": {"token": TOKEN, "files": own | {"root": str(tmp_path / "other.pem")}},
        }
        command: list[str | Path] = [NODE, tmp_path / "program.mjs", server.server.web_address, json.dumps(list(cases.values()))]
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == list(cases)
