import { completeSwarms } from './complete-swarms.js';

completeSwarms(26, 25);
