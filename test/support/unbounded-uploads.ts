// Accounts may upload as much as they like.
import { monthAt } from '../../api/services/history/month.js';

export const UNBOUNDED_UPLOADS = { isUsedUp: () => false, month: monthAt(0) };
