/**
 * Values that their name gives away: `api_key = "…"`, `<password>…</password>`, `--token …`, `- name: DB_PASSWORD` with the
 * value on the next line. Languages write this in many ways, but between name and value stand the same few signs and words;
 * so one grammar serves all: a name with a secret's word, a gap of such signs, a value that looks random.
 */
import { isSecretName, isSecretWord, nameAt, WORD } from './secretNames';
import type { SecretMatch } from './secretScanner';
import { columnSecrets, findPlacedSecrets, headerAt } from './secretTables';
import { textAt, valueAt } from './secretValues';

/** What may stand between a name and its value: signs, type annotations, and words that introduce a value. */
const GAP =
  /(?:\b[gs]et;|[>|]-|[(（][^\s()（）]{1,20}[)）](?=[ \u3000]?[:：=＝])|[ \t\r"'`\\[\](){}*|>:=,?!+~\u00a0\u200b\u3000：＝“”‘’「」『』（）［］【】→⇒是为為は는은]|\n[ \t>|*#/+-]{0,40}|<-|->|<\/?(?:string|value|key|name|entry|Value|code|td|th)>|<(?:td|th|string|value|code)\b|&(?:'static )?str|\w{1,20}<(?:string|String|str)>|Lazy\w{0,6}|\.unwrap_or(?:_else)?|_|var|[Vv]\d{1,2}(?=[:= ])|plaintext_value|field\(|[Nn]?(?:VARCHAR|varchar)2?\((?:\d{1,4}|max)\)|android:value=|serializeAs=|--\w{2,10} [\w./-]{1,60}(?= --)|--(?:body|value)|N(?=')|@(?=["'])|r#{0,3}(?=")|q[qw]?(?=[{([])|<!\[CDATA\[|z\.string|\.default|translatable=|(?:for|in|on|für|pour) (?:(?:the|den|die|das|le|la) )?[\w-]{1,20}(?= (?:is|was|ist|est|=)|:)|&quot;|&|\b(?:string|str|String|static|char|text|value|Value|content|is|ist|est|lautet|currently|now|was|by|BY|get|set|val|default|type|data|nil|or|as|final|sensitive|true|false|secret|Secret|to|TO|Bearer|bearer|Basic|basic|token|Token|Option|Some|Optional|Just|fromString|from|of|new|ENV|env|env_default|process\.env\.\w{1,60}|os\.(?:getenv|environ\.get)|std|byte|bytes)\b){1,28}/y;

/** An index into tokens, a stretch of base64, a list of names and a pointer: what follows is no value. */
const NO_GAP = /^[[+]$|^[^:=]*,[^:="'`]*$|[(,\]] ?\*$/;

/** Behind `pass` and `auth` as verbs: `flags to pass to init_v2`. */
const VERB_GAP = /^ +(?:to +)?$/;

/** Where a value may stand on a later line: behind a sign that says so, or a word for it. */
const NEXT_LINE =
  /[:：][ \t]*\r?\n[ \t]*\r?\n|[|>\\+&=(]-?[ \t]*\r?\n|\n[\s"'`<]*(?:value|plaintext_value|Value|default|string|type)\b/;

/** A line that begins with a name and assigns. */
const ASSIGNING_LINE = /(?:^|\n)[ \t+-]{0,20}(?:export )?$/;

/** Values of names that say that they are secret; may overlap. Linear: each name looks at 500 characters at most. */
export function findNamedSecrets(text: string): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  let done = 0;
  let tableEnd = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < done || !isSecretWord(text, index, word)) continue;
    const name = nameAt(text, index, index + word.length);
    if (!isSecretName(name.text)) continue;
    const header = index >= tableEnd ? headerAt(text, index) : undefined;
    if (header) {
      const table = columnSecrets(text, header.start, header.line, header.separator);
      found.push(...table.found);
      tableEnd = table.end;
    }
    const gap = textAt(GAP, text, name.end);
    // A part of an address: `arn:aws:secretsmanager:eu-west-1:1:secret:prod/db`.
    if (gap === ':' && text.charAt(name.end - name.text.length - 1) === ':') continue;
    const isPair = gap === ',' && /^\n?$/.test(text.charAt(name.end - name.text.length - 1));
    if ((NO_GAP.test(gap) && !isPair) || (/^(?:auth|pass)$/i.test(name.text) && VERB_GAP.test(gap))) continue;
    if (gap === '' || name.text.endsWith('.') || (gap.includes('\n') && !NEXT_LINE.test(gap))) continue;
    const start = name.end - name.text.length;
    const assigns = /^ ?[:：=＝] ?$/.test(gap) && ASSIGNING_LINE.test(text.slice(Math.max(0, start - 30), start));
    const match = valueAt(text, name.end + gap.length, name.text, assigns);
    if (!match) continue;
    found.push(match);
    done = match.end;
  }
  return [...found, ...findPlacedSecrets(text)];
}
