import { beforeEach, describe, expect, it } from 'vitest';
import { LiveModel } from '../sessions/live-model.ts';
import { toLiveSession } from '../sessions/live-session.ts';
import { newSession } from '../sessions/session.ts';
import { Board } from './board.ts';

const here = { id: 'm-0000000000000001', name: 'desk' };
const there = { id: 'm-0000000000000002', name: 'laptop' };

let live: LiveModel;
let board: Board;
let announced: unknown[];

const told = (id: string) => toLiveSession(newSession(id, 1), { machine: there.name });
const hook = (sessionId: string) =>
  live.apply({ seq: 1, at: 1, sessionId, source: 'hook', name: 'X', payload: {}, agent: [] });

beforeEach(() => {
  announced = [];
  live = new LiveModel({ machine: here.name });
  board = new Board({ machine: here, live, hub: { announce: (kind, data) => void announced.push([kind, data]) } });
});

describe('one machine', () => {
  it('is the live model', () => {
    hook('a');
    expect(board.views()).toEqual(live.views());
    expect(board.listJson()).toBe(live.listJson());
    expect(board.counts()).toEqual(live.counts());
    expect(board.machines()).toEqual([here]);
  });

  it('uses its own machine name for a bare id', () => {
    hook('a');
    expect(board.localId(`a@${here.id}`)).toBe('a');
    expect(board.view(`a@${here.id}`)?.id).toBe('a');
    expect(board.view('a')?.machine).toBe(here.name);
  });
});

describe('with another machine', () => {
  it("lists both machines' sessions together, distinguishing equal ids", () => {
    hook('a');
    board.put(there, told('a'));
    expect(board.views().map(({ id, machine }) => [id, machine])).toEqual([
      ['a', here.name],
      [`a@${there.id}`, there.name],
    ]);
    expect(JSON.parse(board.listJson().toString())).toEqual({ sessions: board.views() });
    expect(board.machines()).toEqual([here, there]);
    const sum = Object.values(board.counts()).reduce((all, one) => all + one, 0);
    expect(sum).toBe(2);
  });

  it('lists the built-in ones when none are saved', () => {
    board.put(there, told('a'));
    expect(JSON.parse(board.viewsJson().toString())).toEqual(board.views());
  });

  it("hides remote sessions from code that inspects this machine's disk or processes", () => {
    board.put(there, told('a'));
    expect([...live.sessions()]).toEqual([]);
    expect(live.view(`a@${there.id}`)).toBeUndefined();
    expect(() => board.localId(`a@${there.id}`)).toThrow('This session runs on laptop.');
  });

  it('refuses an unknown machine', () => {
    expect(() => board.localId('a@m-0000000000000009')).toThrow('No machine m-0000000000000009.');
    expect(board.view('a@m-0000000000000009')).toBeUndefined();
  });

  it('announces sessions that appear, change or disappear', () => {
    board.put(there, told('a'));
    board.put(there, told('a'));
    board.drop(there.id, 'a');
    board.drop(there.id, 'a');
    const id = `a@${there.id}`;
    expect(announced).toEqual([
      ['session_discovered', expect.objectContaining({ id })],
      ['session_updated', expect.objectContaining({ id })],
      ['session_removed', { sessionId: id }],
    ]);
    board.put(there, told('b'));
    board.drop(there.id);
    expect([board.views(), board.machines()]).toEqual([[], [here]]);
  });
});
