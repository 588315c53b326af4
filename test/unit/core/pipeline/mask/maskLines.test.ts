import { expect, it } from 'vitest';
import type { RepoMapView } from '../../../../../src/core/model/repoMap';
import { maskMap } from '../../../../../src/core/pipeline/mask/maskLines';
import type { ExplainedMap } from '../../../../../src/core/repomap/facts/types';
import { Masking } from '../../../../../src/core/secrets/masking';
import { librarySecretScanner } from '../../../../../src/worker/secrets/librarySecretScanner';
import { FakeKeys } from '../../../../fixtures/fakeSecrets';

const KEY = new FakeKeys(5).random(32);

/** The map of a file with these signatures, ten lines apart, masked. */
async function maskSignatures(signatures: readonly string[]) {
  const masking = new Masking(librarySecretScanner);
  let shown: readonly string[] = [];
  const masked = await maskMap(
    (mask) => ({ mask }) as unknown as ExplainedMap,
    (map) => {
      const { mask } = map as unknown as { mask: (text: string) => string };
      shown = signatures.map(mask);
      const symbols = shown.map((signature, at) => ({ name: `n${at}`, signature, lineStart: 10 * (at + 1) }));
      return { items: [{ path: 'src/db.ts', symbols }] } as unknown as RepoMapView;
    },
    (texts) => masking.masksFor(texts),
  );
  return { ...masked, shown };
}

it('says of which symbol a masked key was, by its line in the file', async () => {
  const signature = `connect(api_key = '${KEY}')`;
  const { secrets, texts, shown } = await maskSignatures(['open(path)', signature, 'close()']);
  expect(texts).toContain(signature);
  expect(shown.join('\n')).not.toContain(KEY);
  expect(secrets).toMatchObject([{ path: 'src/db.ts', line: 20, label: 'key' }]);
});

it.each([
  ['a signature that ends in a secret name', ['def ask(user, password=', 'curlx_base64_decode']],
  ['a signature that was cut at its bracket', ['verify_password(', 'secp256k1_context_create']],
])('takes no line for the value of the line above: %s', async (_, signatures) => {
  expect((await maskSignatures(signatures)).shown).toEqual(signatures);
});
