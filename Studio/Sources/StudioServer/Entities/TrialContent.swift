import CommandSupport
import CoreDataTools
import Foundation

/// The result of the trial of an index, as a page shows it.
struct TrialContent {
  let properties: String
  let before: String
  let after: String
  let factor: String
  let size: String
  let making: String
  let planBefore: [String]
  let planAfter: [String]
  let isFaster: Bool
  /// The lengths of the chart's bars, and the places of their figures.
  let widthBefore: Int
  let widthAfter: Int
  let textBefore: Int
  let textAfter: Int

  /// The x coordinate at which bars begin, and the length of the longest bar.
  private static let (start, longest) = (90, 440.0)

  init(_ trial: IndexTrial) {
    let (without, with) = (trial.before.seconds, trial.after.seconds)
    properties = trial.properties.joined(separator: ", ")
    before = FigureText.duration(without)
    after = FigureText.duration(with)
    let ratio = without / max(with, 1e-9)
    factor = ratio >= 10 ? String(format: "%.0f", ratio) : String(format: "%.1f", ratio)
    isFaster = ratio > 1.1
    size = FigureText.bytes(trial.indexBytes)
    making = FigureText.duration(trial.makingSeconds)
    (planBefore, planAfter) = (trial.before.steps, trial.after.steps)
    let most = max(without, with, 1e-9)
    widthBefore = max(Int(without / most * Self.longest), 1)
    widthAfter = max(Int(with / most * Self.longest), 1)
    (textBefore, textAfter) = (Self.start + widthBefore + 8, Self.start + widthAfter + 8)
  }
}
