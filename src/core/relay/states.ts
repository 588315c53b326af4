/** The words by which logs and ledgers say how something is (DESIGN §7), in English and Chinese. */

/** States in which the work is not as it should be (DESIGN §7). */
const RECOVERY_STATES = ['WARNING', 'STALE', 'LEASE_TAKEOVER'] as const;

/** One of them. */
export type RecoveryState = (typeof RECOVERY_STATES)[number];

/** Status words of what is finished (DESIGN §7), folded. */
export const FINISHED: ReadonlySet<string> = new Set(
  [
    ['completed', 'complete', 'done', 'success', 'succeeded', 'successful', 'accepted', 'resolved', 'finished'],
    ['passed', 'pass', 'ok', 'closed', 'merged', '完成', '已完成', '成功', '已成功', '已接受', '已解决', '已解決'],
    ['已采纳', '已接納', '已採納'],
    ['通过', '通過', '已通过', '已通過', '已关闭', '已關閉', '已合并', '已合併', '已结束', '已結束', '完毕', '完畢'],
  ].flat(),
);

/** Nearly all words are so already, and are asked for again and again. */
const PLAIN = /^[a-z_]*$/;

/** Folds a status word: lower case, full-width letters, blanks and pictures around it make no difference. */
export function foldStatus(status: unknown): string {
  if (typeof status !== 'string') return '';
  if (PLAIN.test(status)) return status;
  return status.length > 100
    ? ''
    : status
        .normalize('NFKC')
        .replace(/^(?:\s|\p{So}|\ufe0f)+|(?:\s|\p{So}|\ufe0f)+$/gu, '')
        .toLowerCase();
}

/** Other states that tell a map of steps from an object with other fields. */
export const UNFINISHED = new Set(
  [
    ['pending', 'queued', 'waiting', 'todo', 'ready', 'running', 'active', 'in_progress', 'in progress', 'started'],
    ['working', 'blocked', 'failed', 'error', 'stale', 'warning', 'paused', 'open', 'cancelled', 'not_started', 'idle'],
    ['进行中', '運行中', '运行中', '待处理', '未开始', '失败', '阻塞', '等待'],
  ].flat(),
);

/** Of what is outdated. */
export const STALE_WORDS = new Set([
  'stale',
  'outdated',
  '过期',
  '已过期',
  '過期',
  '已過期',
  '陈旧',
  '陳舊',
  '失效',
  '已失效',
]);
export const RESOLVED_WORDS = new Set(['resolved', '解决', '已解决', '解決', '已解決']);
/** Of a run that is over, and was no success. */
export const FAILED_WORDS = new Set(
  [
    ['failed', 'failure', 'fail', 'error', 'errored', 'timeout', 'timed_out', 'timed out', 'cancelled', 'canceled'],
    ['aborted', 'crashed', 'rejected', 'blocked', 'partial', '失败', '失敗', '错误', '錯誤', '超时', '已取消', '中止'],
  ].flat(),
);

/** Folds a state: ` lease takeover ` is `LEASE_TAKEOVER`. */
export function foldState(value: unknown): string {
  return foldStatus(value)
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
}

/** The state that a value names, folded; undefined for any other value. */
export function recoveryStateOf(value: unknown): RecoveryState | undefined {
  if (typeof value !== 'string' || (PLAIN.test(value) && !/^(?:stale|warning|lease_takeover)$/.test(value)))
    return undefined;
  return asRecoveryState(foldState(value));
}

/** The state as one of {@link RECOVERY_STATES}; `undefined` for any other. */
export function asRecoveryState(state: string): RecoveryState | undefined {
  return RECOVERY_STATES.find((known) => known === state);
}
