import { DaemonStatus } from '../daemon.ts';
import { route } from './route.ts';

const tag = 'daemon';

export const getStatus = route({ method: 'GET', path: '/api/status', tag, answer: DaemonStatus });
export const getOpenApi = route({ method: 'GET', path: '/api/openapi.json', tag });
