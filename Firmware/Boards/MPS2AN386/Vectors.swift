import CortexM

// The functions that the vector table calls on this board. The table itself stands in link.ld, by the names that are given here.

@c(SerialLine0_Handler) func serialLine0Handler() { SerialPort.take(0) }
@c(SerialLine1_Handler) func serialLine1Handler() { SerialPort.take(1) }
@c(SerialLine2_Handler) func serialLine2Handler() { SerialPort.take(2) }
@c(SerialLine3_Handler) func serialLine3Handler() { SerialPort.take(3) }
@c(SerialLine4_Handler) func serialLine4Handler() { SerialPort.take(4) }
@c(Alarm_Handler) func alarmHandler() { Alarm.acknowledge() }
@c(Watchdog_Handler) func watchdogHandler() { Watchdog.bite() }
