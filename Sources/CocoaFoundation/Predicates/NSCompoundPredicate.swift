import Foundation

/// A predicate that combines others by AND, OR or NOT.
///
/// It inherits its storage and its initialisers from Foundation's class of the same name, so that code which imports
/// Foundation alone takes it for one.
open class NSCompoundPredicate: Foundation.NSCompoundPredicate {}
