export { type Random, seededRandom } from '../../src/demo/random.ts';
