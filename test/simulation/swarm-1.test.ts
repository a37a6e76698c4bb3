import { completeSwarms } from './complete-swarms.js';

completeSwarms(1, 25);
