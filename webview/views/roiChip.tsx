import type { JSX } from 'preact';
import type { RoiClass } from '../../src/core/model/usage';
import { ROI_WORDS, WORDS } from '../words';

const CHIP_CLASSES: Readonly<Record<RoiClass, string>> = {
  WASTE: 'chip roi WASTE',
  LOW: 'chip roi',
  'MED+': 'chip roi MED',
  'no data': 'chip roi',
};

/** What a section returned for its size. */
export function RoiChip(props: {
  readonly roiClass: RoiClass;
  /** Where the class begins and ends. */
  readonly title: string;
}): JSX.Element {
  const { roiClass, title } = props;
  return (
    <span class={CHIP_CLASSES[roiClass]} title={title}>
      <span class="sr">{WORDS.row.return} </span>
      {ROI_WORDS[roiClass].label}
    </span>
  );
}
