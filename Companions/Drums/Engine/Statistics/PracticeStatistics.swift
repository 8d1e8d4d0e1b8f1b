import Signals

// Which statistic answers which question of practice; see docs/adr/0014-statistics-of-a-hand.md.

/// The confidence interval of a share of right beats.
public typealias RightShare = WilsonInterval

/// The difference between the reactions of two hands, or of two times.
public typealias ReactionDifference = MedianDifference

/// The trend of a value over days.
public typealias PracticeTrend = TheilSenLine
