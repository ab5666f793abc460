-- Publishes messages.
--
-- Takes: no more than "bus-publication" takes.
-- Before: "bus-publication" provides publish.
-- Answers: the position of the first message, then the nodes.
return publish(#ARGV)
