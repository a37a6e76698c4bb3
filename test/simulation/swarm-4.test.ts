import { completeSwarms } from './complete-swarms.js';

completeSwarms(76, 25);
