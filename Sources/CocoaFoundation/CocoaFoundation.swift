// The module that programs import. Foundation on Linux also declares these three classes, as unavailable ones, and
// `NSClassFromString`. An import by name takes precedence, also in files that import Foundation.
@_exported import Foundation
@_exported import OpenCocoaFoundation
@_exported import class OpenCocoaFoundation.NSComparisonPredicate
@_exported import class OpenCocoaFoundation.NSCompoundPredicate
@_exported import class OpenCocoaFoundation.NSExpression
@_exported import func OpenCocoaFoundation.NSClassFromString
