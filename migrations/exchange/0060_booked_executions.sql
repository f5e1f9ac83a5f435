CREATE INDEX `booked_executions_execution` ON `booked_executions` (`book`,`execution_id`);
