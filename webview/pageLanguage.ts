/** Speaks the language that the host wrote into the first HTML. An entry imports this before anything that makes words. */
import { LANGUAGE_ELEMENT_ID, readLanguage } from '../src/protocol/interfaceLanguage';
import { speak } from './language';

speak(readLanguage(document.getElementById(LANGUAGE_ELEMENT_ID)?.textContent));
