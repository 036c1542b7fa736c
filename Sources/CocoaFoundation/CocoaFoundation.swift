// The name that programs import. Foundation on Linux has unavailable classes of these three names; those that are imported
// by name win, in files that import Foundation too.
@_exported import Foundation
@_exported import OpenCocoaFoundation
@_exported import class OpenCocoaFoundation.NSComparisonPredicate
@_exported import class OpenCocoaFoundation.NSCompoundPredicate
@_exported import class OpenCocoaFoundation.NSExpression
