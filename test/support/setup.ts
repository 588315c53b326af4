import fc from 'fast-check';
import { isLong } from './runs';

/** `npm test` tries the same examples every time, so that it fails for what was changed alone; the long run tries others. */
if (!isLong) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260 });
