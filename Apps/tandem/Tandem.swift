import ArgumentParser
import Configuration
import HubKit
import PlantsHub
import MQTTServer

@main
struct Tandem: AsyncParsableCommand { }
