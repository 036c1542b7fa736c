import Foundation
public class NSComparisonPredicate { public struct Options: OptionSet, Sendable { public let rawValue: UInt; public init(rawValue: UInt) { self.rawValue = rawValue }
 public static let caseInsensitive = Options(rawValue: 1), diacriticInsensitive = Options(rawValue: 2), widthInsensitive = Options(rawValue: 16) } }
