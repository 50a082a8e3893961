"""Ways a secret stands in a text without standing there in one piece.

Each takes a name, a secret and a generator, and gives a text; the words `before` and
`after` in it must outlive cleaning.
"""

from __future__ import annotations

import base64
import random
import textwrap
from urllib.parse import quote

ESC = "\x1b"


def _cut(secret: str, rng: random.Random) -> tuple[str, str]:
    at = rng.randrange(5, len(secret) - 5)
    return secret[:at], secret[at:]


def ansi_around(name, secret, rng):
    return f"before\n{name}: {ESC}[32m{secret}{ESC}[0m after\n"


def ansi_inside(name, secret, rng):
    a, b = _cut(secret, rng)
    return f"before\n{name}={a}{ESC}[1;31m{b}{ESC}[0m\nafter\n"


def ansi_written_out(name, secret, rng):
    a, b = _cut(secret, rng)
    return f"before {name}={a}\\x1b[1m{b}\\x1b[0m after\n"


def unseen(char):
    def wrap(name, secret, rng):
        a, b = _cut(secret, rng)
        return f"before {name}: {a}{char}{b} after\n"

    return wrap


def unseen_everywhere(name, secret, rng):
    return f"before {name}: {chr(0x200B).join(secret)} after\n"


def soft_wrapped(name, secret, rng):
    lead = "before we go on the thing we had to write down here was the "
    line = f"{lead}{name}: {secret}"
    cut = len(lead) + len(name) + 2 + rng.randrange(6, len(secret) - 6)
    return f"{line[:cut]}\n{line[cut:]} after\n"


def soft_wrapped_quoted(name, secret, rng):
    a, b = _cut(secret, rng)
    return f"> before the mail said {name}: {a}\n> {b}\n> after\n"


def soft_wrapped_indented(name, secret, rng):
    a, b = _cut(secret, rng)
    return f"- before\n- {name}: {a}\n  {b}\n- after\n"


def three_lines(name, secret, rng):
    third = len(secret) // 3
    parts = secret[:third], secret[third : 2 * third], secret[2 * third :]
    return f"before\n{name}:\n    " + "\n    ".join(parts) + "\n\nafter\n"


def backslash(name, secret, rng):
    return f"before\nexport {name}=\\\n  {secret}\nafter\n"


def backslash_inside(name, secret, rng):
    a, b = _cut(secret, rng)
    return f'before\nexport {name}="{a}\\\n{b}"\nafter\n'


def yaml_literal(name, secret, rng):
    return f"before: 1\n{name}: |\n  {secret}\nafter: 2\n"


def yaml_folded(name, secret, rng):
    return f"before: 1\n{name}: >-\n  {secret}\nafter: 2\n"


def yaml_folded_broken(name, secret, rng):
    a, b = _cut(secret, rng)
    return f"before: 1\n{name}: >-\n  {a}\n  {b}\nafter: 2\n"


def json_two_lines(name, secret, rng):
    return f'{{\n  "before": 1,\n  "{name}":\n    "{secret}",\n  "after": 2\n}}\n'


def json_in_json(name, secret, rng):
    return f'{{"before": "{{\\"{name}\\": \\"{secret}\\"}}", "after": 1}}\n'


def json_name_value(name, secret, rng):
    return f'[{{"name": "{name}",\n  "value": "{secret}"}}, "before", "after"]\n'


def kube_env(name, secret, rng):
    return f"before:\n  - name: {name}\n    value: {secret}\n  after: x\n"


def table(name, secret, rng):
    return f"| before | x |\n|---|---|\n| {name} | `{secret}` |\n| after | y |\n"


def table_bold(name, secret, rng):
    return f"| before | x |\n|---|---|\n| **{name}** | {secret} | after |\n"


def quoted(name, secret, rng):
    return f"> before the {name}:\n> {secret}\n> after\n"


def listed(name, secret, rng):
    return f"before\n- {name}:\n  - {secret}\n\nafter\n"


def diff(name, secret, rng):
    return (
        f"--- before\n+++ b/x.yml\n-  {name}: old\n+  {name}:\n+    {secret}\n after\n"
    )


def diff_one_line(name, secret, rng):
    return f"@@ before @@\n-{name}={secret}\n+{name}=$FROM_VAULT\n after\n"


def fence(name, secret, rng):
    return f"before\n```env\n{name}={secret}\n```\nafter\n"


def heredoc(name, secret, rng):
    return f"cat > before <<EOF\n{name}={secret}\nEOF\nafter\n"


def concat_plus(name, secret, rng):
    a, b = _cut(secret, rng)
    return f'before();\nconst {name} = "{a}" +\n    "{b}";\nafter();\n'


def concat_implicit(name, secret, rng):
    a, b = _cut(secret, rng)
    return f'before = 1\n{name} = (\n    "{a}"\n    "{b}"\n)\nafter = 2\n'


def concat_dot(name, secret, rng):
    a, b = _cut(secret, rng)
    return f"// before\n${name} = '{a}'\n  . '{b}';\n// after\n"


def concat_one_line(name, secret, rng):
    a, b = _cut(secret, rng)
    return f'before = 1\n{name} = "{a}" + "{b}"\nafter = 2\n'


def url_encoded(name, secret, rng):
    text = "".join(
        f"%{ord(char):02X}" if not char.isalnum() or rng.random() < 0.2 else char
        for char in secret
    )
    return f"before https://x.io/cb?{name}={text}&state=1 after\n"


def url_encoded_whole(name, secret, rng):
    return f"before redirect={quote(f'https://x.io/?{name}={secret}', safe='')} after\n"


def base64_file(name, secret, rng):
    file = f"# settings of the app\n{name}={secret}\nDEBUG=0\n"
    return f"before {base64.b64encode(file.encode()).decode()} after\n"


def base64_file_wrapped(name, secret, rng):
    file = f"# settings of the app, all of them\nDEBUG=0\n{name}={secret}\nHOST=x\n"
    lines = textwrap.wrap(base64.b64encode(file.encode()).decode(), 76)
    return "before\n" + "\n".join(lines) + "\n\nafter\n"


def unicode_escaped(name, secret, rng):
    text = "".join(
        f"\\u{ord(char):04x}" if not char.isalnum() else char for char in secret
    )
    return f'{{"before": 1, "{name}": "{text}", "after": 2}}\n'


def html(name, secret, rng):
    return f"<p>before {name}=&quot;{secret}&quot; after</p>\n"


def xml(name, secret, rng):
    return f"<before/>\n<{name}>\n  {secret}\n</{name}>\n<after/>\n"


def crlf(name, secret, rng):
    return f"before\r\n{name}:\r\n  {secret}\r\nafter\r\n"


WRAPPINGS = {
    function.__name__: function
    for function in (
        ansi_around,
        ansi_inside,
        ansi_written_out,
        unseen_everywhere,
        soft_wrapped,
        soft_wrapped_quoted,
        soft_wrapped_indented,
        three_lines,
        backslash,
        backslash_inside,
        yaml_literal,
        yaml_folded,
        yaml_folded_broken,
        json_two_lines,
        json_in_json,
        json_name_value,
        kube_env,
        table,
        table_bold,
        quoted,
        listed,
        diff,
        diff_one_line,
        fence,
        heredoc,
        concat_plus,
        concat_implicit,
        concat_dot,
        concat_one_line,
        url_encoded,
        url_encoded_whole,
        base64_file,
        base64_file_wrapped,
        unicode_escaped,
        html,
        xml,
        crlf,
    )
} | {
    "zero width space": unseen("\u200b"),
    "word joiner": unseen("\u2060"),
    "soft hyphen": unseen("\u00ad"),
    "bidi override": unseen("\u202e"),
    "tag characters": unseen("\U000e0041\U000e0042"),
    "joiner": unseen("\u200d"),
    "variation selectors": unseen("\ufe01\ufe02"),
}
