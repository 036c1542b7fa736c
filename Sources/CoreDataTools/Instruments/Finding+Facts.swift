import CommandSupport
import InstrumentsAnalysis

extension Finding {
  /// How often, how long, and who, in words.
  public var facts: String {
    let times = count == 1 ? "once" : "\(FigureText.grouped(count)) times"
    let place = caller.map { "; \($0)" } ?? ""
    return "\(times), \(FigureText.count(rows, "row")), \(FigureText.duration(seconds))\(place)"
  }
}
