import CommandSupport
import InstrumentsAnalysis

extension Finding {
  /// The count, the time and the caller, in words.
  public var facts: String {
    let times = count == 1 ? "once" : "\(FigureText.grouped(count)) times"
    let place = caller.map { "; \($0)" } ?? ""
    return "\(times), \(FigureText.count(rows, "row")), \(FigureText.duration(seconds))\(place)"
  }
}
