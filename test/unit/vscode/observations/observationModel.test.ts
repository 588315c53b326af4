import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '../../../../src/core/config/profile';
import type { ObservationRow } from '../../../../src/core/model/observation';
import {
  detailSum,
  groupNodes,
  isGroupNode,
  observationIcon,
  rowNodes,
} from '../../../../src/vscode/observations/observationModel';

const row = (id: number, detailTokens = 10): ObservationRow => ({
  id,
  type: 'event',
  taskId: 'T',
  ts: '2026-02-03 21:23:34',
  actor: '',
  phase: 'verify',
  summary: `row ${id}`,
  refs: { files: [], commands: [], urls: [] },
  detailTokens,
  text: `${id} | …\n`,
});

describe('the Observations tree', () => {
  it('opens the newest groups and says how many more there are', () => {
    const group = (key: string) => ({ key, count: 1, newest: { id: 1, ts: '2026-02-03 21:23:34', summary: 's' } });
    const nodes = groupNodes({ groups: ['a', 'b', 'c'].map(group), total: 10, observations: 10 }, 'task');
    expect(nodes.filter(isGroupNode).map(({ id, isOpen }) => [id, isOpen])).toEqual([
      ['task:a', true],
      ['task:b', true],
      ['task:c', false],
    ]);
    expect(nodes.at(-1)).toMatchObject({ kind: 'moreObservations', groupId: undefined, remaining: 7 });
  });

  it('lists rows, and what stands for the rest of their group', () => {
    const [group] = groupNodes(
      { groups: [{ key: '', count: 3, newest: { id: 3, ts: '', summary: '' } }], total: 1, observations: 3 },
      'task',
    ).filter(isGroupNode);
    const nodes = rowNodes({ rows: [row(3), row(2)], total: 3, start: 0 }, group);
    expect(nodes.map(({ id }) => id)).toEqual(['observation:3', 'observation:2', 'more:task:']);
    expect(rowNodes({ rows: [row(3)], total: 1, start: 0 }, undefined)).toHaveLength(1);
  });

  it.each([
    ['tests failed', 'verify', 'error'],
    ['❌ 登录失败', '', 'error'],
    ['all tests passed', 'implement', 'check'],
    ['blocked by review', 'plan', 'clock'],
    ['wrote the outline', 'plan', 'milestone'],
    ['looked at the diff', 'verification', 'beaker'],
    ['new parser', '实现', 'edit'],
    ['something', '', 'circle-small-filled'],
  ])('“%s” in phase “%s” has the icon %s', (summary, phase, icon) => {
    expect(observationIcon({ summary, phase }).icon).toBe(icon);
  });
});

describe('the sum of chosen details', () => {
  it('counts each with at most what it may cost, against the caps', () => {
    const sum = detailSum([row(1, 100), row(2, 9000)], DEFAULT_PROFILE);
    expect(sum).toEqual({ tokens: 1600, isOver: false });
  });

  it('is over when there are too many, or they cost too much', () => {
    expect(
      detailSum(
        [1, 2, 3, 4, 5].map((id) => row(id, 1500)),
        DEFAULT_PROFILE,
      ).isOver,
    ).toBe(false);
    expect(
      detailSum(
        [1, 2, 3, 4, 5, 6].map((id) => row(id)),
        DEFAULT_PROFILE,
      ).isOver,
    ).toBe(true);
    expect(detailSum([row(1, 200), row(2, 200)], { ...DEFAULT_PROFILE, budgetTokens: 300 }).isOver).toBe(true);
  });
});
