import stripAnsi from 'strip-ansi';

/** Text as every later stage expects it: no byte order mark, no terminal colours, `\n` line ends only. Linear. */
export function cleanText(text: string): string {
  const bare = stripAnsi(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  return bare.includes('\r') ? bare.replace(/\r\n?/g, '\n') : bare;
}
