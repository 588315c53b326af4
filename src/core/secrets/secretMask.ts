const ANY_MASK = /^(?:\[masked(?:: [A-Za-z0-9 ]+)?\]|\*{1,3})\s*$/;

function word(label: string, room: number): string {
  const forms = [`[masked: ${label}]`, '[masked]'];
  return forms.find(({ length }) => length <= room) ?? '***'.slice(0, room);
}

/**
 * What stands for `secret`: never longer than it, with as many line ends, without a mark of XML, JSON or Markdown fences.
 * @example maskFor('ghp_…36 characters…', 'GitHub token') // '[masked: GitHub token]'
 */
export function maskFor(secret: string, label: string): string {
  const lineEnds = secret.match(/\r?\n/g) ?? [];
  const taken = lineEnds.reduce((sum, { length }) => sum + length, 0);
  return word(label, secret.length - taken) + lineEnds.join('');
}

/** Whether `text` is a mask already, so that masking twice changes nothing. */
export function isMask(text: string): boolean {
  return ANY_MASK.test(text);
}
