import Signals

// Which statistic answers which question of practice; see docs/adr/0014-statistics-of-a-hand.md.

/// How sure one is of a share of right beats.
public typealias RightShare = WilsonInterval

/// How the reactions of two hands, or of two times, differ.
public typealias ReactionDifference = MedianDifference

/// How something changes with the days.
public typealias PracticeTrend = TheilSenLine
