import { Challenge } from '../access.ts';
import { route } from './route.ts';

export const takeChallenge = route({
  method: 'POST',
  path: '/api/challenge',
  tag: 'access',
  role: 'viewer',
  answer: Challenge,
});
