import BrushingHub
import DrumsHub
import HubKit
import PlantsHub

/// The companions of this house: a line each.
let companions: [any Companion.Type] = [
    Plants.self,
    Brushing.self,
    Drums.self,
]
