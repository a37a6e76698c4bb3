import { completeSwarms } from './complete-swarms.js';

completeSwarms(51, 25);
