import { expect, test } from 'vitest';
import { renderCitationTable } from '../../../../src/core/print/budgetTable';

test('lines up by what a terminal shows, Chinese too', () => {
  expect(
    renderCitationTable([
      { id: 'agents-md', evidence: 'path', what: 'src/a.ts' },
      { id: 'soul', evidence: 'keyword', what: '预占流程, lease' },
    ]),
  ).toBe('section    evidence  what\nagents-md  path      src/a.ts\nsoul       keyword   预占流程, lease\n');
});

test('is empty without citations', () => {
  expect(renderCitationTable([])).toBe('');
});
