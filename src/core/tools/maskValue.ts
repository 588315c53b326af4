import { maskSecrets } from '../secrets/maskSecrets';
import type { SecretScanner } from '../secrets/secretScanner';
import { isRecord } from '../text/jsonRecord';
import type { ToolHost } from './tool';
import type { ToolHostOptions } from './toolHost';

/** Masks what `scanner` finds. A secret found in one text is masked in all of them. Rejects when it cannot scan. */
export function maskTexts(scanner: SecretScanner): ToolHostOptions['maskText'] {
  return async (texts) => {
    const matches = await scanner.scan(texts);
    const scanned = texts.map((text, at) => ({ text, matches: matches[at] ?? [] }));
    return maskSecrets(scanned).map(({ text }) => text);
  };
}

/** Calls `visit` with each text of plain data, in order. */
function texts(value: unknown, found: string[]): void {
  if (typeof value === 'string') found.push(value);
  else if (Array.isArray(value)) for (const each of value) texts(each, found);
  else if (isRecord(value)) for (const each of Object.values(value)) texts(each, found);
}

function replaced(value: unknown, next: () => string): unknown {
  if (typeof value === 'string') return next();
  if (Array.isArray(value)) return value.map((each) => replaced(each, next));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, next)] as const));
}

/** Plain data with each of its texts masked; keys stay. Masked before it is written as JSON, whose escapes hide secrets. */
export async function maskValue(value: unknown, { maskText }: Pick<ToolHost, 'maskText'>): Promise<unknown> {
  const found: string[] = [];
  texts(value, found);
  const masked = await maskText(found);
  let at = 0;
  return replaced(value, () => masked[at++] ?? '');
}
