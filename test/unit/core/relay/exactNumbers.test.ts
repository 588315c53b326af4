import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../../../src/core/relay/compactRelay';
import { isExactNumber, leafText, parseExact, writeExact } from '../../../../src/core/relay/exactNumbers';

const written = (value: unknown): string => writeExact(JSON.stringify(value));
const compacted = (json: string) => compactRelay(parseExact(json));

describe('numbers of a relay log', () => {
  it.each([
    '1234567890123456789',
    '-9007199254740993',
    '99999999999999999999',
    '0.1234567890123456789',
    '1770890700.123456789',
    '1e400',
    '1E-400',
    `1${'0'.repeat(400)}1`,
  ])('are kept as they came: %.30s', (number) => {
    const value = parseExact(number);
    expect(isExactNumber(value)).toBe(true);
    expect(leafText(value)).toBe(number);
    const json = `{"a":[${number},{"b":${number}}],"c":"${number} \\" ${number}","d":"\\\\"}`;
    expect(written(parseExact(json))).toBe(json);
  });

  it.each(['9007199254740991', '1.0', '1e22', '100000000000000000000', '-0', '123456789012345.60', '1e0000'])(
    'are numbers where nothing is lost: %s',
    (number) => {
      expect(parseExact(number)).toBe(Number(number));
    },
  );

  it.each([
    '{"\uFDD0a":"\uFDD05","b":["\\uFDD0\\ufdd07","\\ufdd0"]}',
    '["\\ufdd05",12345678901234567890,"say \\"\\ufdd06\\"","\\\\","\\ufdd07"]',
  ])('are no texts that look like one in here: %s', (json) => {
    expect(JSON.parse(written(parseExact(json)))).toEqual(JSON.parse(json));
  });

  it('may stand beside texts of any length', () => {
    const json = `{"a":"${'x\\n"'.replace('"', '\\"').repeat(2_000_000)}","b":12345678901234567890}`;
    expect(written(parseExact(json)) === json).toBe(true);
  });

  it('tell entries apart, and order them', () => {
    const event = '"event_type":"hb","dedup_key":"k","step_id":"S1"';
    const logs = '[{"task_id":1234567890123456789,"m":1},{"task_id":1234567890123456790,"m":1}]';
    const reports = `[{${event},"status":"STALE","seq":1234567890123456790},{${event},"status":"done","seq":1234567890123456789}]`;
    const { output } = compacted(`{"execution_logs":${logs},"status_reports":${reports}}`);
    expect(written(output.execution_logs)).toBe(logs);
    expect(output.alarms).toMatchObject([{ status: 'STALE' }]);
    expect(written(output.repeated)).toBe(
      '[{"list":"status_reports","index":0,"count":1,"first":1234567890123456789,"last":1234567890123456789}]',
    );
    expect(compacted(written(output)).output).toEqual(output);
  });

  it('are said as numbers', () => {
    const { output, findings } = compacted(
      '{"goal":{"channel":1234567890123456789},"constraints":[1e400],"relay_context":1234567890123456789,' +
        '"status_reports":[{"status":"WARNING","message":1e400}]}',
    );
    expect(output.summary).toContain('Goal: channel: 1234567890123456789\nConstraints: 1e400\n');
    expect(output.alarms).toMatchObject([{ text: 'status: WARNING; message: 1e400' }]);
    expect(findings.dropped).toMatchObject([{ field: 'relay_context', text: 'a number: 1234567890123456789' }]);
  });
});
