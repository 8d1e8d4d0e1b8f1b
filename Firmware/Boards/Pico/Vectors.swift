// The functions that the vector table calls on this board, by the names that vectors.ld has; it lays them into memory, so that none
// may call what lies in the flash memory.

@c(SerialLine0_Handler) func serialLine0Handler() { SerialPort.take(0) }
@c(SerialLine1_Handler) func serialLine1Handler() { SerialPort.take(1) }
@c(SpeechLine_Handler) func speechLineHandler() { SpeechLine.take() }
@c(Alarm_Handler) func alarmHandler() { Alarm.acknowledge() }
