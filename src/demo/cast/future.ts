import { FUTURE_MODEL, type Part } from './part.ts';

/** A client from the future: events and a model this version doesn't know. */
export const future: Part = {
  project: 'orbit-infra',
  model: FUTURE_MODEL,
  startedAgo: 9,
  isUnknown: true,
  async play(session) {
    const { main } = session;
    const prompt = 'Rehearse the region failover, canary tenant only.';
    await session.startUnknown('SwarmAttached', { swarm_id: 'sw-7', session_title: prompt, peers: 3 }, prompt);
    main.answer(
      "Three peers have joined. I'll rehearse the failover on the canary tenant and measure how long writes are rejected.",
    );
    await main.pause(50);
    await session.hook('SwarmConsensus', { swarm_id: 'sw-7', round: 2, agreed: true });
    main.answer('Round two: all peers agree on the order. Writes were rejected for 1.8 s.');
    await main.untilAgo(0.4);
    await session.hook('SwarmConsensus', { swarm_id: 'sw-7', round: 3, agreed: true });
    await main.stay(300);
    await session.finish('The failover took 9.4 s. Writes were rejected for 1.8 s of that.');
  },
};
