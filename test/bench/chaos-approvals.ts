import { answerAtOnce, answerByManyHands, killAtRandom } from '../kit/chaos-approvals.ts';

/** Approvals under random answers and random kills. The figures are counts, and `wrong` must stay empty. */

const seed = Number(process.env.SEED ?? Date.now() % 100_000);
const hands = await answerByManyHands({ rounds: Number(process.env.ROUNDS ?? 50), seed });
console.log(
  `many hands, seed ${seed}: ${hands.asked} asked, ${JSON.stringify(hands.byHand)}, wrong: ${hands.wrong.length}`,
);
const kills = await killAtRandom({ rounds: Number(process.env.KILLS ?? 30), seed });
console.log(
  `kill -9, seed ${seed}: ${kills.rounds} rounds, ${JSON.stringify(kills.byHand)}, ${kills.delivered} delivered (${kills.survived} decided before the kill), ` +
    `${kills.notDelivered} not delivered, wrong: ${kills.wrong.length}`,
);
const atOnce = await answerAtOnce({ rounds: Number(process.env.TIES ?? 90), seed });
const won = Object.entries(atOnce.won).map(([tie, { keyboard, remote }]) => `${tie}: ${keyboard} and ${remote}`);
console.log(
  `keyboard and remote at once, seed ${seed}: ${atOnce.rounds} rounds; won by keyboard and remote: ${won.join('; ')}; ` +
    `corrected among those that agreed: ${atOnce.corrected}; wrong: ${atOnce.wrong.length}`,
);
const all = [...hands.wrong, ...kills.wrong, ...atOnce.wrong];
for (const wrong of all) console.log(`  ${wrong}`);
process.exitCode = all.length > 0 ? 1 : 0;
