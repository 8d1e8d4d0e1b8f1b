import BrushingHub
import DrumsHub
import HubKit
import HubServer
import MotionLabHub
import PlantsHub
import TriviaToyHub

/// The companions of this hub: a line each.
let companions: [any Companion.Type] = [
    Plants.self,
    Brushing.self,
    Drums.self,
    TriviaToy.self,
    MotionLab.self,
]
