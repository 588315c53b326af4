import type { JSX } from 'preact';
import type { RoiClass } from '../../../src/core/model/usage';
import { ROI_WORDS } from '../../words/tables';

/** Name of a class in style sheets. */
export const CLASS_STYLES: Readonly<Record<RoiClass, string>> = {
  WASTE: 'waste',
  LOW: 'low',
  'MED+': 'med',
  'no data': 'nodata',
};

/** A class as a word in a box. */
export function ClassChip({ roiClass }: { readonly roiClass: RoiClass }): JSX.Element {
  return <span class={`chip ${CLASS_STYLES[roiClass]}`}>{ROI_WORDS[roiClass].label}</span>;
}
