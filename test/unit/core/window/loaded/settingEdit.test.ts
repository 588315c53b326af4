import { parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { editSetting, type SettingEdit } from '../../../../../src/core/window/loaded/settingEdit';
import { readValue } from '../../../../../src/core/window/loaded/settingValue';

const json = (patch: Partial<SettingEdit>): SettingEdit => ({
  path: 'a.json',
  format: 'json',
  keys: ['off'],
  ...patch,
});

describe('edits of imports', () => {
  const edit: SettingEdit = { path: 'a/CLAUDE.md', format: 'import', keys: ['a/docs/x.md'] };

  it('make a name of every word that imports the file, and of no other', () => {
    const text = 'See @docs/x.md, @./docs/x.md\r\nand @docs/y.md.\n\n`@docs/x.md`\n';
    expect(editSetting(text, edit)).toBe('See `docs/x.md`, `./docs/x.md`\r\nand @docs/y.md.\n\n`@docs/x.md`\n');
  });

  it('refuse a text that no longer imports it', () => {
    expect(() => editSetting('See docs/x.md.\n', edit)).toThrow('a/CLAUDE.md could not be changed');
  });
});

describe('edits of JSON settings', () => {
  it('add a name to a list that is there, that is not, and in a file that is not', () => {
    const item = json({ keys: ['mcp', 'excluded'], item: 'db' });
    expect(editSetting('{\n  "mcp": { "excluded": ["a"] } // mine\n}\n', item)).toBe(
      '{\n  "mcp": { "excluded": ["a", "db"] } // mine\n}\n',
    );
    expect(parse(editSetting('{\n\t"x": 1\n}\n', item))).toEqual({ x: 1, mcp: { excluded: ['db'] } });
    expect(editSetting('{\n\t"x": 1\n}\n', item)).toContain('\n\t"mcp": { "excluded": ["db"] }\n');
    expect(parse(editSetting('', item))).toEqual({ mcp: { excluded: ['db'] } });
  });

  it('say nothing twice', () => {
    const text = '{"off": ["db"]}';
    expect(editSetting(text, json({ item: 'db' }))).toBe(text);
    const disabled = '{"servers": {"db": {"disabled": true}}}';
    expect(parse(editSetting(disabled, json({ keys: ['servers', 'db', 'disabled'], value: true })))).toEqual(
      parse(disabled),
    );
  });

  it('put a value in the place of another, with comments, byte order mark and line ends left alone', () => {
    const text = '\ufeff{\r\n  // servers\r\n  "servers": { "db": { "enabled": true, "command": "db" } },\r\n}\r\n';
    const edited = editSetting(text, json({ keys: ['servers', 'db', 'enabled'], value: false }));
    expect(edited).toBe(text.replace('true', 'false'));
  });

  it('change the last of doubled keys, which is the one that counts', () => {
    const text = '{"off": false, "off": false}';
    const edited = editSetting(text, json({ value: true }));
    expect(edited).toBe('{"off": false, "off": true}');
    expect(readValue(edited, ['off'])).toBe(true);
  });

  it.each(['{ "off": ', '[]', '{"off": {}}', '{"off": "db"}'])('refuse %s', (text) => {
    expect(() => editSetting(text, json({ item: 'db' }))).toThrow('a.json could not be changed');
  });
});

describe('edits of TOML settings', () => {
  const edit: SettingEdit = { path: 'c.toml', format: 'toml', keys: ['mcp_servers', 'my.db', 'enabled'], value: false };

  it.each([
    [
      '[mcp_servers."my.db"]\ncommand = "db" # mine\n\n[other]\nx = 1\n',
      '[mcp_servers."my.db"]\nenabled = false\ncommand',
    ],
    ["[ mcp_servers . 'my.db' ] # mine\r\ncommand = 'db'\r\n", "'my.db' ] # mine\r\nenabled = false\r\ncommand"],
    ['[mcp_servers."my.db"]\ncommand = "db"\nenabled = true\n', 'command = "db"\nenabled = false\n'],
    ['a = 1\n[mcp_servers."my.db"]', '[mcp_servers."my.db"]\nenabled = false\n'],
  ])('change one key of the table of %j', (text, wanted) => {
    const edited = editSetting(text, edit);
    expect(edited).toContain(wanted);
    expect(parseToml(edited)).toMatchObject({ mcp_servers: { 'my.db': { enabled: false } } });
    expect(edited.length - text.length).toBeLessThan(20);
  });

  it.each([
    '',
    'mcp_servers = {"my.db" = {command = "db"}}\n',
    '[mcp_servers.my.db]\ncommand = "db"\n',
    'x = """\n[mcp_servers."my.db"]\n"""\n',
  ])('refuse %j, where the server has no table of its own', (text) => {
    expect(() => editSetting(text, edit)).toThrow('c.toml could not be changed');
  });
});

describe('edits of a file’s head', () => {
  const edit: SettingEdit = { path: 'SKILL.md', format: 'frontmatter', keys: ['hidden'], value: 'true' };

  it('add a key as the last, or put a value in the place of another; the text below stays', () => {
    expect(editSetting('---\nname: a\n---\nhidden: no\n---\n', edit)).toBe(
      '---\nname: a\nhidden: true\n---\nhidden: no\n---\n',
    );
    expect(editSetting('---\r\nhidden: false\r\nname: a\r\n---\r\nText\r\n', edit)).toBe(
      '---\r\nhidden: true\r\nname: a\r\n---\r\nText\r\n',
    );
  });

  it('refuse a text without a head', () => {
    for (const text of ['', '# A\n\n---\nx: 1\n---\n', '---\nname: a\n'])
      expect(() => editSetting(text, edit)).toThrow('SKILL.md could not be changed');
  });
});
