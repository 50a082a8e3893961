"""What a git that reaches a remote needs of the environment to be let in.

Local commands get none of it: a hook's environment may hold configuration meant for the
commit that started it, hooks and signing programs among it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

# Commands that reach a remote.
REMOTE = frozenset({"fetch", "clone", "push", "ls-remote"})

# SSH_ASKPASS and the agent's socket are no variables of git's and stay anyway; those
# for ssh and TLS are kept for every command.
_KEPT = ("GIT_ASKPASS", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_HTTP_USER_AGENT")

# Sections of configuration that say how to reach a remote and run nothing of ours.
_SECTIONS = ("http.", "credential.", "url.", "safe.", "protocol.")
_KEYS = ("core.askpass", "core.sshcommand", "core.gitproxy", "ssh.variant")


def passed(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables to add for such a command.

    Configuration handed over as GIT_CONFIG_COUNT, as CIs do with tokens, is passed on
    as far as it is about the remote.
    """
    env = os.environ if given is None else given
    found = {name: env[name] for name in _KEPT if name in env}
    if env.get("SSH_ASKPASS"):
        found["SSH_ASKPASS_REQUIRE"] = "force"  # there is no terminal to ask at
    count = env.get("GIT_CONFIG_COUNT", "")
    pairs = [
        (env.get(f"GIT_CONFIG_KEY_{n}", ""), env.get(f"GIT_CONFIG_VALUE_{n}", ""))
        for n in range(min(int(count), 1000) if count.isdecimal() else 0)
    ]
    about = [(key, value) for key, value in pairs if _about_remotes(key.lower())]
    for number, (key, value) in enumerate(about):
        found[f"GIT_CONFIG_KEY_{number}"] = key
        found[f"GIT_CONFIG_VALUE_{number}"] = value
    if about:
        found["GIT_CONFIG_COUNT"] = str(len(about))
    return found


def _about_remotes(key: str) -> bool:
    return key.startswith(_SECTIONS) or key in _KEYS
