import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { dottedName, findByName } from '../../../../../src/core/repomap/index/nameLookup';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { findWithUses } from '../../../../../src/core/repomap/ranking/uses';
import { definition, facts } from '../../../../support/repoMapBuilders';

const INDEX = new RepoIndex();
const shutdown = definition('Shutdown', { kind: 'method', scope: 'Server', lineStart: 12, lineEnd: 20 });
INDEX.upsert(packFacts(facts('net/http/server.go', [definition('Server', { kind: 'class' }), shutdown])));
INDEX.upsert(packFacts(facts('net/http/server_test.go', ['TestShutdown', 'shutdownAll'])));
INDEX.upsert(packFacts(facts('lib/server.rb', ['forward_to_server?', 'ServerPool'])));

const names = (given: string): readonly (readonly string[] | string)[] => {
  const { how, symbols } = findByName(INDEX, given);
  return [how, symbols.map(({ qualifiedName }) => qualifiedName)];
};

describe('a name', () => {
  it('is the same however its parts are joined', () => {
    for (const form of ['Server.Shutdown', 'Server::Shutdown', 'Server#Shutdown', '(*Server).Shutdown', 'Shutdown()']) {
      expect([form, ...names(form)]).toEqual([form, 'exact', ['Server.Shutdown']]);
    }
    expect(dottedName('crate::a::B')).toBe('crate.a.B');
    expect(dottedName(' std::vec::Vec<T> ')).toBe('std.vec.Vec<T>');
  });

  it('is found as it is written first, then in any case, then as a beginning, sources first, then inside', () => {
    expect(names('forward_to_server?')).toEqual(['exact', ['forward_to_server?']]);
    expect(names('shutdown')).toEqual(['exact', ['Server.Shutdown']]);
    expect(names('shut')).toEqual(['prefix', ['Server.Shutdown', 'shutdownAll']]);
    expect(names('down')).toEqual(['inside', ['Server.Shutdown', 'shutdownAll', 'TestShutdown']]);
    expect(names('Client.Shutdown')).toEqual(['inside', []]);
    expect(names('')).toEqual(['exact', []]);
  });

  it('of a place is the definition that begins there, else the innermost around it', () => {
    const of = (handle: string) => findWithUses(INDEX, handle).map(({ qualifiedName }) => qualifiedName);
    expect(of('net/http/server.go:12')).toEqual(['Server.Shutdown']);
    expect(of('net/http/server.go:15:3')).toEqual(['Server.Shutdown']);
    expect(of('net/http/server.go:500')).toEqual([]);
    expect(of('net/http/none.go:12')).toEqual([]);
    expect(of('net/http/server.go:Server::Shutdown')).toEqual(['Server.Shutdown']);
  });

  it('of a line of a map is the definition that it shows', () => {
    const { signature } = findWithUses(INDEX, 'Server.Shutdown')[0]!;
    const of = (row: string) => findWithUses(INDEX, row).map(({ qualifiedName }) => qualifiedName);
    expect(of(`12 ${signature}`)).toEqual(['Server.Shutdown']);
    expect(of(`  12 ${signature.slice(0, -3)}…`)).toEqual(['Server.Shutdown']);
    expect(of('12 Shutdown')).toEqual(['Server.Shutdown']);
    expect(of(`13 ${signature}`)).toEqual([]);
  });
});
