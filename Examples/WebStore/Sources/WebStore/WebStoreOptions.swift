import Foundation

/// Keys for the options with which a web store is added.
public enum WebStoreOption {
  /// How many seconds a request may take, a number; 60.
  public static let timeout = "WebStoreTimeout"
  /// How often a request is tried that may be tried again, a number from 1; 4.
  public static let attempts = "WebStoreAttempts"
  /// How many seconds the second try waits, a number; 0.05. Each later one waits twice as long as the one before.
  public static let pause = "WebStorePause"
  /// How many objects a fault that fires brings along, of those that came together; 100, and 1 for none.
  public static let companySize = "WebStoreCompanySize"
  /// How many documents are kept for the time when the service is away; 20,000.
  public static let cacheLimit = "WebStoreCacheLimit"
}

struct WebStoreOptions: Sendable {
  var timeout = 60.0
  var attempts = 4
  var pause = 0.05
  var companySize = 100
  var cacheLimit = 20_000

  /// - Throws: an error that names the option whose value is none.
  init(_ options: [AnyHashable: Any]?) throws {
    func number(_ key: String, _ range: ClosedRange<Double>, _ standard: Double) throws -> Double {
      guard let value = options?[key] else { return standard }
      if let number = (value as? NSNumber)?.doubleValue, range.contains(number) { return number }
      throw NSError(
        web: .wrongOption, "\(key) must be a number from \(range.lowerBound) to \(range.upperBound), not \(value).")
    }
    timeout = try number(WebStoreOption.timeout, 0.001...86_400, timeout)
    attempts = Int(try number(WebStoreOption.attempts, 1...100, Double(attempts)))
    pause = try number(WebStoreOption.pause, 0...60, pause)
    companySize = Int(try number(WebStoreOption.companySize, 1...100_000, Double(companySize)))
    cacheLimit = Int(try number(WebStoreOption.cacheLimit, 1...10_000_000, Double(cacheLimit)))
  }
}
