"""The soil sensor's image on a board in QEMU, in a house with another maker's broker."""

import time

import improv


def set_up(device, house):
    device.console.send(improv.hub_command("127.0.0.1", house.mqtt_port, "k7fq2m9x", "secret"))
    device.console.send(improv.wifi_command())
    device.console.expect(improv.PROVISIONED, 30)


def test_a_sensor_set_up_over_its_serial_line_delivers_what_it_measured_with_the_time(device, house):
    # 29 February 2028, 12:34:56 UTC.
    house.server.now = 1_835_440_496
    sensor = device("PlantSensor", ports=house.ports)
    sensor.has_slept_after(lambda: sensor.probe.reads >= 3)
    set_up(sensor, house)
    house.wait_for(lambda: house.messages, what="a reading")
    topic, reading = house.messages[0]
    assert topic == "tandem/k7fq2m9x/readings"
    # 21.3 degrees in 1/65536 are cut to tenths.
    assert (reading["capacitance"], reading["temperature"]) == (612, 21.2)
    # It was measured before anybody said the time, some seconds ago.
    assert 1_835_440_496_000 - 30_000 < reading["at"] <= 1_835_440_496_000


def test_a_day_without_the_hub_is_delivered_with_the_time_of_each_measurement(device, house):
    house.server.now = 1_835_440_496
    sensor = device("PlantSensor", ports=house.ports)
    set_up(sensor, house)
    house.wait_for(lambda: house.messages, what="the first reading")
    house.close()
    for count in range(144):
        sensor.probe.capacitance = 400 + count
        house.server.now += 600
        sensor.measures()
    house.open()
    house.messages.clear()
    for _ in range(6):
        sensor.probe.capacitance = 999
        house.server.now += 600
        sensor.measures()
    house.wait_for(lambda: len(house.messages) >= 150, what="the day")
    readings = [reading for _, reading in house.messages]
    assert [reading["capacitance"] for reading in readings[:144]] == list(range(400, 544))
    steps = {(later["at"] - earlier["at"]) // 1000 for earlier, later in zip(readings, readings[1:])}
    # Ten minutes each, what the measurement and a search for the hub took, and the second to which HTTP says the time.
    assert min(steps) >= 599 and max(steps) <= 605, steps
    # Nothing is said twice.
    assert len({reading["at"] for reading in readings}) == len(readings)


def test_a_power_cut_at_any_write_loses_no_reading_that_was_kept(device, house):
    house.server.now = 1_835_440_496
    sensor = device("PlantSensor", ports=house.ports)
    set_up(sensor, house)
    house.wait_for(lambda: house.messages, what="the first reading")
    kept = []
    # A reading, the note that the hub has it, and the note of a start have 25 bytes each; a page's head has 12.
    for write in [*range(1, 79), *range(90, 140, 7)]:
        sensor.flash.cut_after(write)
        starts = len(sensor.bench.starts)
        while sensor.flash.word(0):
            sensor.probe.capacitance = 300 + len(kept)
            sensor.measures()
            if sensor.flash.word(0):
                # It slept after that measurement: it is kept.
                kept.append(sensor.probe.capacitance)
        sensor.bench.wait_for(lambda: len(sensor.bench.starts) > starts, what="a start after the cut")
        assert sensor.bench.starts[-1] == "power cut"
    for _ in range(6):
        sensor.measures()

    def missing():
        return set(kept) - {reading["capacitance"] for _, reading in house.messages}

    house.wait_for(lambda: len(kept) > 78 and not missing(), 20, f"all of {len(kept)} readings, {missing()}")


def test_it_sleeps_for_nearly_all_of_a_day_and_its_module_is_off_longer_still(device, house):
    house.server.now = 1_835_440_496
    sensor = device("PlantSensor", ports=house.ports)
    set_up(sensor, house)
    house.wait_for(lambda: house.messages, what="the first reading")
    sensor.bench.is_asleep()
    awake, on, began = [], 0.0, None

    def switched(pin, level):
        nonlocal on, began
        sensor.switch(pin, level)
        if pin == 1:
            on += time.monotonic() - began if began and not level else 0
            began = time.monotonic() if level else None

    sensor.bench.on_drive = switched
    for _ in range(144):
        house.server.now += 600
        sensor.measures()
        # What is left of the interval of ten minutes when it goes to sleep, by its own clock. QEMU's processor is no STM32F405, but the
        # waits for the probe (some 20 ms) and for the Wi-Fi module's start (300 ms, once an hour) are the firmware's own.
        awake.append(600_000 - max(sensor.bench.sleeps[-1], 0))
    assert max(awake) < 2_000, awake
    total = sum(awake) / 1_000
    assert 0 < on < total
    print(f"of a day: awake for {total:.1f} s, asleep for {1 - total / 86_400:.3%}; the Wi-Fi module on for {on:.1f} s")
