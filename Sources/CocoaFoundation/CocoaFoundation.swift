// The name that programs import. Foundation on Linux has unavailable classes of these three names, and a function of the
// fourth; what is imported by name wins, in files that import Foundation too.
@_exported import Foundation
@_exported import OpenCocoaFoundation
@_exported import class OpenCocoaFoundation.NSComparisonPredicate
@_exported import class OpenCocoaFoundation.NSCompoundPredicate
@_exported import class OpenCocoaFoundation.NSExpression
@_exported import func OpenCocoaFoundation.NSClassFromString
