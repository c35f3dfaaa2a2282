import { MachineList } from '../machines.ts';
import { route } from './route.ts';

export const listMachines = route({ method: 'GET', path: '/api/machines', tag: 'machines', answer: MachineList });
